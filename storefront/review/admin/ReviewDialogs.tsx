import { type FormEvent, useState } from 'react'
import { styled } from 'styled-components'
import { limits } from '#schema/rules/limits'
import { useUnsavedWork } from '../../account/interruption.ts'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { color, size, space } from '../../theme/tokens.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { notify } from '../../ui/toast.ts'
import {
  type AdminReviewFragment,
  AnswerReviewDocument,
  HideReviewDocument,
  RemoveReviewPictureDocument,
  RestoreReviewDocument,
} from './Reviews.gql.ts'

/** A picture that is to be taken out of a review. */
export interface Removing {
  review: AdminReviewFragment
  image: string
}

export function RemovePicture({ removing, onClose }: { removing: Removing | null; onClose: () => void }) {
  const [remove, { loading }] = useShopMutation(RemoveReviewPictureDocument)
  const invalidate = useInvalidate()

  async function confirm() {
    if (loading || !removing) return
    const payload = await remove({ id: removing.review.id, image: removing.image })
    if (!payload) return
    invalidate('auditLog')
    notify.success('Picture removed successfully.')
    onClose()
  }

  return (
    <ConfirmDialog
      open={removing !== null}
      onOpenChange={open => !open && onClose()}
      title="Remove this picture?"
      message="It is gone for good. The review and its other pictures stay."
      confirmLabel="Remove picture"
      loading={loading}
      onConfirm={() => void confirm()}
    />
  )
}

export function AnswerDialog({ review, onClose }: { review: AdminReviewFragment | null; onClose: () => void }) {
  const [answer, setAnswer] = useState(review?.answer?.text ?? '')
  const [save, { loading }] = useShopMutation(AnswerReviewDocument)
  const invalidate = useInvalidate()
  useUnsavedWork(review !== null && answer !== (review.answer?.text ?? ''))

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (loading || !review) return
    const payload = await save({ id: review.id, answer: answer.trim() || null })
    if (!payload) return
    invalidate('auditLog')
    notify.success(answer.trim() ? 'Answer saved successfully.' : 'Answer removed successfully.')
    onClose()
  }

  return (
    <FormDialog
      open={review !== null}
      onClose={onClose}
      title="Answer this review"
      description="Shoppers see it under the review. An empty answer takes it away."
      action="Save answer"
      loading={loading}
    >
      {id => (
        <form id={id} noValidate onSubmit={event => void submit(event)}>
          <Quote>{review?.comment}</Quote>
          <TextArea
            label="Answer"
            rows={4}
            maxLength={limits.comment}
            value={answer}
            onChange={event => setAnswer(event.target.value)}
          />
        </form>
      )}
    </FormDialog>
  )
}

export function HideDialog({ review, onClose }: { review: AdminReviewFragment | null; onClose: () => void }) {
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [hide, { loading }] = useShopMutation(HideReviewDocument)
  const invalidate = useInvalidate()

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (loading || !review) return
    if (!reason.trim()) return setProblem('Please say why, for the other admins.')
    const payload = await hide({ id: review.id, reason: reason.trim() })
    if (!payload) return
    invalidate('auditLog')
    notify.success('Review hidden successfully.')
    onClose()
  }

  return (
    <FormDialog
      alert
      open={review !== null}
      onClose={onClose}
      title="Hide this review?"
      description="Shoppers no longer see it or its pictures, and its stars do not count. You can restore it at any time."
      action="Hide review"
      variant="danger"
      loading={loading}
    >
      {id => (
        <form id={id} noValidate onSubmit={event => void submit(event)}>
          <Quote>{review?.comment}</Quote>
          <TextArea
            label="Reason"
            required
            hint="Only admins see it."
            rows={3}
            maxLength={500}
            value={reason}
            onChange={event => {
              setReason(event.target.value)
              setProblem(null)
            }}
            error={problem}
          />
        </form>
      )}
    </FormDialog>
  )
}

export function Restore({ review }: { review: AdminReviewFragment }) {
  const [restore, { loading }] = useShopMutation(RestoreReviewDocument)
  const invalidate = useInvalidate()

  async function press() {
    const payload = await restore({ id: review.id })
    if (!payload) return
    invalidate('auditLog')
    notify.success('Review restored successfully.')
  }

  return (
    <Button
      size="sm"
      variant="quiet"
      loading={loading}
      aria-label={`Restore the review by ${review.name}`}
      onClick={() => void press()}
    >
      Restore
    </Button>
  )
}

const Quote = styled.blockquote`
  margin: 0 0 ${space[4]};
  padding-left: ${space[3]};
  border-left: 2px solid ${color.line};
  max-height: 8rem;
  overflow-y: auto;
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
