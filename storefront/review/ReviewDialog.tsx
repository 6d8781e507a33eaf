import { type FormEvent, lazy, useRef, useState } from 'react'
import { styled } from 'styled-components'
import { limits, RATING_LABELS } from '#schema/rules/limits'
import { useUnsavedWork } from '../account/interruption.ts'
import { FALLBACK_MESSAGE } from '../data/errors.ts'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { space } from '../theme/tokens.ts'
import { notify } from '../ui/toast.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Part } from '../ui/Part.tsx'
import { RatingInput } from '../ui/RatingInput.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { CreateReviewDocument } from './CreateReview.gql.ts'
import { HowItKnitted, knittedErrors, NOT_TOLD, stitchesOf } from './HowItKnitted.tsx'
import type { TakenPicture } from './ReviewPicturesField.tsx'

const ReviewPicturesField = lazy(() => import('./ReviewPicturesField.tsx'))

const FIELDS = ['rating', 'comment', 'needle', 'gauge', 'project', 'pictures'] as const
type Errors = { [F in (typeof FIELDS)[number]]?: string | undefined }

interface ReviewDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  productId: string
  productName: string
}

export default function ReviewDialog({ open, onOpenChange, productId, productName }: ReviewDialogProps) {
  const [rating, setRating] = useState(0)
  const [comment, setComment] = useState('')
  const [knitted, setKnitted] = useState(NOT_TOLD)
  const [pictures, setPictures] = useState<TakenPicture[]>([])
  const [sending, setSending] = useState(false)
  const [errors, setErrors] = useState<Errors>({})
  const [createReview, { loading }] = useShopMutation(CreateReviewDocument)
  useUnsavedWork(
    open && (rating > 0 || comment !== '' || Object.values(knitted).some(Boolean) || pictures.length > 0 || sending),
  )
  const firstStar = useRef<HTMLInputElement>(null)
  const text = useRef<HTMLTextAreaElement>(null)
  const needle = useRef<HTMLInputElement>(null)
  const gauge = useRef<HTMLInputElement>(null)
  const project = useRef<HTMLInputElement>(null)
  const taken = useRef<HTMLFieldSetElement>(null)

  /** Cancelled or done: the next time it opens blank. */
  const close = () => {
    setRating(0)
    setComment('')
    setKnitted(NOT_TOLD)
    setPictures([])
    setErrors({})
    onOpenChange(false)
  }

  const show = (found: Errors) => {
    setErrors(found)
    const fields = { rating: firstStar, comment: text, needle, gauge, project, pictures: taken }
    const [first] = FIELDS.filter(field => found[field])
    if (first) fields[first].current?.focus()
    return first !== undefined
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (loading) return
    const missing = {
      rating: rating ? undefined : 'Please choose one to five stars.',
      comment: comment.trim() ? undefined : 'Please tell us a little about it.',
      ...knittedErrors(knitted),
      pictures: sending ? 'Your pictures are still on their way. Please wait a moment.' : undefined,
    }
    if (show(missing)) return
    const payload = await createReview(
      {
        productId,
        input: { ...knitted, rating, comment, gauge: stitchesOf(knitted), pictures },
      },
      {
        onRefused: ({ userErrors }) => {
          const about = (field: string) => userErrors.find(refusal => refusal.field?.[0] === field)?.message
          if (!show(Object.fromEntries(FIELDS.map(field => [field, about(field)]))))
            notify.error(userErrors[0]?.message ?? FALLBACK_MESSAGE)
        },
      },
    )
    if (!payload) return
    notify.success('Review submitted successfully.')
    close()
  }

  return (
    <Dialog
      open={open}
      onOpenChange={next => (next ? onOpenChange(true) : close())}
      title="Write a customer review"
      description={productName}
    >
      <Form noValidate onSubmit={event => void submit(event)}>
        <RatingInput
          ref={firstStar}
          label="Rating"
          value={rating}
          onChange={chosen => {
            setRating(chosen)
            setErrors({ ...errors, rating: undefined })
          }}
          labels={RATING_LABELS}
          error={errors.rating}
        />
        <TextArea
          ref={text}
          label="Comment"
          required
          rows={5}
          maxLength={limits.comment}
          value={comment}
          onChange={event => {
            setComment(event.target.value)
            setErrors({ ...errors, comment: undefined })
          }}
          error={errors.comment}
          placeholder="How did it knit up? How did it wash?"
        />
        <HowItKnitted
          value={knitted}
          onChange={(field, typed) => {
            setKnitted({ ...knitted, [field]: typed })
            setErrors({ ...errors, [field]: undefined })
          }}
          errors={errors}
          refs={{ needle, gauge, project }}
        />
        <Part fallback={<Skeleton $height="10.375rem" />}>
          <ReviewPicturesField
            frame={taken}
            pictures={pictures}
            onChange={edit => {
              setPictures(edit)
              setErrors(before => ({ ...before, pictures: undefined }))
            }}
            onBusy={setSending}
            error={errors.pictures}
          />
        </Part>
        <Buttons>
          <Button variant="quiet" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={loading}>
            Submit
          </Button>
        </Buttons>
      </Form>
    </Dialog>
  )
}

const Form = styled.form`
  display: grid;
  gap: ${space[5]};
`
const Buttons = styled.div`
  display: flex;
  justify-content: flex-end;
  gap: ${space[3]};
`
