import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { styled } from 'styled-components'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { linkTo, ListFoot, ListResult, Toolbar } from '../../admin/AdminList.tsx'
import { oneOf, useListState } from '../../data/list-state.ts'
import { formatDay } from '../../ui/dates.ts'
import { paths } from '../../paths.ts'
import { color, control, size, space } from '../../theme/tokens.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/table-column.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterChips } from '../../ui/FilterChips.tsx'
import { Stack } from '../../ui/Stack.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { BareSelect } from '../../ui/Select.tsx'
import { Stars } from '../../ui/Stars.tsx'
import { ReviewPictures } from '../ReviewPictures.tsx'
import { AnswerDialog, HideDialog, RemovePicture, type Removing, Restore } from './ReviewDialogs.tsx'
import { type AdminReviewFragment, AdminReviewsDocument } from './Reviews.gql.ts'

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
