import { type FormEvent, lazy, useRef } from 'react'
import { styled } from 'styled-components'
import { limits, RATING_LABELS } from '#schema/rules/limits'
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
import { HowItKnitted } from './HowItKnitted.tsx'
import { REVIEW_FIELDS, type ReviewErrors, reviewErrors, reviewInput, useReviewDraft } from './review-draft.ts'

const ReviewPicturesField = lazy(() => import('./ReviewPicturesField.tsx'))

interface ReviewDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  productId: string
  productName: string
}

export default function ReviewDialog({ open, onOpenChange, productId, productName }: ReviewDialogProps) {
  const { draft, edit, clear, errors, setErrors, isUploading, setIsUploading } = useReviewDraft(open)
  const [createReview, { loading }] = useShopMutation(CreateReviewDocument)
  const firstStar = useRef<HTMLInputElement>(null)
  const text = useRef<HTMLTextAreaElement>(null)
  const needle = useRef<HTMLInputElement>(null)
  const gauge = useRef<HTMLInputElement>(null)
  const project = useRef<HTMLInputElement>(null)
  const taken = useRef<HTMLFieldSetElement>(null)

  /** Cancelled or done: the next time it opens blank. */
  const close = () => {
    clear()
    onOpenChange(false)
  }

  const show = (found: ReviewErrors) => {
    setErrors(found)
    const fields = { rating: firstStar, comment: text, needle, gauge, project, pictures: taken }
    const first = REVIEW_FIELDS.find(field => found[field])
    if (first) fields[first].current?.focus()
    return first !== undefined
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (loading || show(reviewErrors(draft, isUploading))) return
    const payload = await createReview(
      { productId, input: reviewInput(draft) },
      {
        onRefused: ({ userErrors }) => {
          const about = (field: string) => userErrors.find(refusal => refusal.field?.[0] === field)?.message
          if (!show(Object.fromEntries(REVIEW_FIELDS.map(field => [field, about(field)]))))
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
          value={draft.rating}
          onChange={rating => edit('rating', () => ({ rating }))}
          labels={RATING_LABELS}
          error={errors.rating}
        />
        <TextArea
          ref={text}
          label="Comment"
          required
          rows={5}
          maxLength={limits.comment}
          value={draft.comment}
          onChange={({ target }) => edit('comment', () => ({ comment: target.value }))}
          error={errors.comment}
          placeholder="How did it knit up? How did it wash?"
        />
        <HowItKnitted
          value={draft.knitted}
          onChange={(field, typed) => edit(field, ({ knitted }) => ({ knitted: { ...knitted, [field]: typed } }))}
          errors={errors}
          refs={{ needle, gauge, project }}
        />
        <Part fallback={<Skeleton $height="10.375rem" />}>
          <ReviewPicturesField
            frame={taken}
            pictures={draft.pictures}
            onChange={change => edit('pictures', ({ pictures }) => ({ pictures: change(pictures) }))}
            onBusy={setIsUploading}
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
