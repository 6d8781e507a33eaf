import { type FormEvent, useRef, useState } from 'react'
import { styled } from 'styled-components'
import { limits, RATING_LABELS } from '#schema/rules/limits'
import { useUnsavedWork } from '../account/interruption.ts'
import { FALLBACK_MESSAGE } from '../data/errors.ts'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { space } from '../theme/tokens.ts'
import { notify } from '../ui/toast.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { RatingInput } from '../ui/RatingInput.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { CreateReviewDocument } from './CreateReview.gql.ts'

interface ReviewDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  productId: string
  productName: string
}

export default function ReviewDialog({ open, onOpenChange, productId, productName }: ReviewDialogProps) {
  const [rating, setRating] = useState(0)
  const [comment, setComment] = useState('')
  const [errors, setErrors] = useState<{ rating?: string; comment?: string }>({})
  const [createReview, { loading }] = useShopMutation(CreateReviewDocument)
  useUnsavedWork(open && (rating > 0 || comment !== ''))
  const firstStar = useRef<HTMLInputElement>(null)
  const text = useRef<HTMLTextAreaElement>(null)

  /** Cancelled or done: the next time it opens blank. */
  const close = () => {
    setRating(0)
    setComment('')
    setErrors({})
    onOpenChange(false)
  }

  const show = (found: typeof errors) => {
    setErrors(found)
    if (found.rating) firstStar.current?.focus()
    else if (found.comment) text.current?.focus()
    return Boolean(found.rating || found.comment)
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (loading) return
    const missing = {
      rating: rating ? undefined : 'Please choose one to five stars.',
      comment: comment.trim() ? undefined : 'Please tell us a little about it.',
    }
    if (show(missing)) return
    const payload = await createReview(
      { productId, input: { rating, comment } },
      {
        onRefused: ({ userErrors }) => {
          const about = (field: string) => userErrors.find(refusal => refusal.field?.at(-1) === field)?.message
          if (!show({ rating: about('rating'), comment: about('comment') }))
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
