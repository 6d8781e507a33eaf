import { styled } from 'styled-components'
import { RoomLink } from '../../admin/RoomLink.tsx'
import { paths } from '../../paths.ts'
import { color, size, space } from '../../theme/tokens.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { formatDay } from '../../ui/dates.ts'
import { Stack } from '../../ui/Stack.tsx'
import { Stars } from '../../ui/Stars.tsx'
import type { Column } from '../../ui/table-column.ts'
import { ReviewPictures } from '../ReviewPictures.tsx'
import { type Removing, Restore } from './ReviewDialogs.tsx'
import type { AdminReviewFragment } from './Reviews.gql.ts'

interface Acts {
  onHide: (review: AdminReviewFragment) => void
  onAnswer: (review: AdminReviewFragment) => void
  onRemove: (removing: Removing) => void
}

export function reviewColumns({ onHide, onAnswer, onRemove }: Acts): Column<AdminReviewFragment>[] {
  return [
    {
      id: 'PRODUCT',
      header: 'Product',
      lead: true,
      width: '18%',
      cell: review =>
        review.product ? (
          <RoomLink to={paths.adminProduct(review.product.id)}>{review.product.name}</RoomLink>
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
