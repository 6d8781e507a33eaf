import { type FormEvent, useId, useState } from 'react'
import { styled } from 'styled-components'
import { limits } from '#schema/rules/limits'
import { useUnsavedWork } from '../../account/interruption.ts'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { color, size, space } from '../../theme/tokens.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
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
  const form = useId()
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
    <Dialog
      open={review !== null}
      onOpenChange={open => !open && onClose()}
      title="Answer this review"
      description="Shoppers see it under the review. An empty answer takes it away."
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={form} loading={loading}>
            Save answer
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={event => void submit(event)}>
        <Quote>{review?.comment}</Quote>
        <TextArea
          label="Answer"
          rows={4}
          maxLength={limits.comment}
          value={answer}
          onChange={event => setAnswer(event.target.value)}
        />
      </form>
    </Dialog>
  )
}

export function HideDialog({ review, onClose }: { review: AdminReviewFragment | null; onClose: () => void }) {
  const form = useId()
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
    <Dialog
      alert
      open={review !== null}
      onOpenChange={open => !open && onClose()}
      title="Hide this review?"
      description="Shoppers no longer see it or its pictures, and its stars do not count. You can restore it at any time."
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={form} variant="danger" loading={loading}>
            Hide review
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={event => void submit(event)}>
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
    </Dialog>
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
