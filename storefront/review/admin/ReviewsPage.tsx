import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { styled } from 'styled-components'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { linkTo, ListFoot, ListResult, Toolbar } from '../../admin/AdminList.tsx'
import { oneOf, useListState } from '../../data/list-state.ts'
import { color, control, size, space } from '../../theme/tokens.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterChips } from '../../ui/FilterChips.tsx'
import { Link } from '../../ui/Link.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { BareSelect } from '../../ui/Select.tsx'
import { reviewColumns } from './review-columns.tsx'
import { AnswerDialog, HideDialog, RemovePicture, type Removing } from './ReviewDialogs.tsx'
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
  const columns = reviewColumns({ onHide: setHiding, onAnswer: setAnswering, onRemove: setRemoving })

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
        <RatingFilter value={stars} onChange={rating => void list.go({ rating })} />
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

function RatingFilter({ value, onChange }: { value: string; onChange: (rating: string) => void }) {
  return (
    <Small>
      <BareSelect aria-label="Rating" value={value} onChange={event => onChange(event.target.value)}>
        <option value="">Any rating</option>
        {[5, 4, 3, 2, 1].map(rating => (
          <option key={rating} value={rating}>
            {rating === 1 ? '1 star' : `${rating} stars`}
          </option>
        ))}
      </BareSelect>
    </Small>
  )
}

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
