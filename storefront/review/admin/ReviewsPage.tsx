import { useQuery } from '@apollo/client/react'
import { type FormEvent, useId, useState } from 'react'
import { Link } from 'react-router-dom'
import { styled } from 'styled-components'
import { limits } from '#schema/rules/limits'
import { useUnsavedWork } from '../../account/interruption.ts'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { linkTo, ListFoot, ListResult, Toolbar } from '../../admin/AdminList.tsx'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { oneOf, useListState } from '../../data/list-state.ts'
import { formatDay } from '../../ui/dates.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { paths } from '../../paths.ts'
import { color, control, size, space } from '../../theme/tokens.ts'
import { notify } from '../../ui/toast.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterChips } from '../../ui/FilterChips.tsx'
import { Stack } from '../../ui/Stack.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { BareSelect } from '../../ui/Select.tsx'
import { Stars } from '../../ui/Stars.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { ReviewPictures } from '../ReviewPictures.tsx'
import {
  type AdminReviewFragment,
  AdminReviewsDocument,
  AnswerReviewDocument,
  HideReviewDocument,
  RemoveReviewPictureDocument,
  RestoreReviewDocument,
} from './Reviews.gql.ts'

export default function ReviewsPage() {
  const list = useListState()
  const shown = list.get('status')
  const hidden = shown === 'hidden' ? true : shown === 'shown' ? false : null
  const stars = oneOf(list.get('rating'), ['1', '2', '3', '4', '5']) ?? ''
  const search = list.get('search') ?? ''
  const productId = list.get('product')
  const { data, previousData, error, loading, refetch } = useQuery(AdminReviewsDocument, {
    variables: {
      filter: { search: search || null, hidden, rating: stars ? Number(stars) : null, productId },
      page: list.page,
    },
  })
  const reviews = (data ?? previousData)?.reviews
  const isFiltered = hidden !== null || Boolean(stars || search || productId)
  const [hiding, setHiding] = useState<AdminReviewFragment | null>(null)

  const [answering, setAnswering] = useState<AdminReviewFragment | null>(null)

  const [removing, setRemoving] = useState<Removing | null>(null)

  const columns = columnsFor(setHiding, setAnswering, setRemoving)

  return (
    <AdminPage title="Reviews">
      <Toolbar>
        <FilterChips
          label="Status"
          current={hidden === null ? '' : hidden ? 'hidden' : 'shown'}
          chips={[
            { key: '', label: 'All' },
            { key: 'shown', label: 'Shown' },
            { key: 'hidden', label: 'Hidden' },
          ]}
          link={linkTo(key => list.to({ status: key }))}
        />
        <Small>
          <BareSelect
            aria-label="Rating"
            value={stars}
            onChange={event => void list.go({ rating: event.target.value })}
          >
            <option value="">Any rating</option>
            {[5, 4, 3, 2, 1].map(rating => (
              <option key={rating} value={rating}>
                {rating === 1 ? '1 star' : `${rating} stars`}
              </option>
            ))}
          </BareSelect>
        </Small>
        <SearchField
          label="Search reviews"
          placeholder="Comment, name or product"
          value={search}
          maxLength={100}
          onSearch={text => list.go({ search: text })}
        />
      </Toolbar>
      {productId && (
        <OneProduct>
          Only reviews of {reviews?.items[0]?.product?.name ?? 'one product'}.{' '}
          <Link to={list.to({ product: null })}>Show all</Link>
        </OneProduct>
      )}
      <ListResult
        total={reviews?.total}
        error={error}
        loading={loading}
        onRetry={() => void refetch()}
        empty={
          <EmptyState
            title="No reviews found."
            action={
              isFiltered && (
                <Link to={list.to({ search: null, status: null, rating: null, product: null })}>Show all reviews</Link>
              )
            }
          >
            {!isFiltered && <p>What shoppers write about their yarn will be listed here.</p>}
          </EmptyState>
        }
      >
        {reviews && (
          <>
            <DataTable
              caption="Reviews"
              columns={columns}
              rows={reviews.items}
              rowId={review => review.id}
              stale={loading}
              isQuiet={review => review.isHidden}
            />
            <ListFoot served={reviews} list={list} noun="review" />
          </>
        )}
      </ListResult>
      <AnswerDialog key={`answer ${answering?.id}`} review={answering} onClose={() => setAnswering(null)} />
      <RemovePicture removing={removing} onClose={() => setRemoving(null)} />
      <HideDialog key={hiding?.id ?? 'none'} review={hiding} onClose={() => setHiding(null)} />
    </AdminPage>
  )
}

function columnsFor(
  onHide: (review: AdminReviewFragment) => void,
  onAnswer: (review: AdminReviewFragment) => void,
  onRemove: (removing: Removing) => void,
): Column<AdminReviewFragment>[] {
  return [
    {
      id: 'PRODUCT',
      header: 'Product',
      lead: true,
      width: '18%',
      cell: review =>
        review.product ? (
          <Link to={paths.adminProduct(review.product.id)}>{review.product.name}</Link>
        ) : (
          'No longer in the shop'
        ),
    },
    { id: 'RATING', header: 'Rating', width: '6.5rem', cell: review => <Stars rating={review.rating} /> },
    {
      id: 'COMMENT',
      header: 'Review',
      wide: true,
      cell: review => (
        <Comment>
          {review.comment}
          {review.isHidden && <em>Hidden: {review.hiddenReason}</em>}
          {review.answer && <Answer>Our answer: {review.answer.text}</Answer>}
          <ReviewPictures by={review.name} pictures={review.pictures} onRemove={image => onRemove({ review, image })} />
        </Comment>
      ),
    },
    {
      id: 'NAME',
      header: 'Reviewer',
      width: '9rem',
      cell: review => (
        <span>
          {review.name}
          {review.verifiedPurchase && <Verified>Verified purchase</Verified>}
        </span>
      ),
    },
    {
      id: 'DATE',
      header: 'Date',
      minor: true,
      width: '7.5rem',
      cell: review => <time dateTime={review.createdAt}>{formatDay(review.createdAt)}</time>,
    },
    {
      id: 'STATUS',
      header: 'Status',
      minor: true,
      width: '5.5rem',
      cell: review => (review.isHidden ? <Badge $variant="warning">Hidden</Badge> : <Badge>Shown</Badge>),
    },
    {
      id: 'ACTIONS',
      header: 'Actions',
      hideHeader: true,
      numeric: true,
      width: '7.5rem',
      cell: review => (
        <Stack $gap={2}>
          <Button
            size="sm"
            variant="quiet"
            aria-label={`Answer the review by ${review.name}`}
            onClick={() => onAnswer(review)}
          >
            Answer …
          </Button>
          {review.isHidden ? (
            <Restore review={review} />
          ) : (
            <Button
              size="sm"
              variant="quiet"
              aria-label={`Hide the review by ${review.name}`}
              onClick={() => onHide(review)}
            >
              Hide …
            </Button>
          )}
        </Stack>
      ),
    },
  ]
}

/** A picture that is to be taken out of a review. */
interface Removing {
  review: AdminReviewFragment
  image: string
}

function RemovePicture({ removing, onClose }: { removing: Removing | null; onClose: () => void }) {
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

function AnswerDialog({ review, onClose }: { review: AdminReviewFragment | null; onClose: () => void }) {
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

function HideDialog({ review, onClose }: { review: AdminReviewFragment | null; onClose: () => void }) {
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

function Restore({ review }: { review: AdminReviewFragment }) {
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

const Comment = styled.div`
  display: block;
  max-width: 34rem;
  padding-block: ${space[1]};
  text-align: left;
  em {
    display: block;
    margin-top: ${space[1]};
    color: ${color.warning};
  }
`
const Answer = styled.span`
  display: block;
  margin-top: ${space[1]};
  color: ${color.textQuiet};
`
const Verified = styled.small`
  display: block;
  font-size: ${size.xs};
  color: ${color.textQuiet};
`
const Small = styled.div`
  min-width: 8.5rem;
  select {
    min-height: ${control.sm};
    padding-block: ${space[1]};
    font-size: ${size.sm};
  }
`
const OneProduct = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
const Quote = styled.blockquote`
  margin: 0 0 ${space[4]};
  padding-left: ${space[3]};
  border-left: 2px solid ${color.line};
  max-height: 8rem;
  overflow-y: auto;
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
