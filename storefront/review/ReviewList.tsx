import { useApolloClient } from '@apollo/client/react'
import { type ReactNode, useState } from 'react'
import { styled } from 'styled-components'
import { messageOf } from '../data/errors.ts'
import { color, font, from, measure, size, space, weight } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { CheckIcon } from '../ui/icons.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Stars } from '../ui/Stars.tsx'
import { MoreReviewsDocument } from './MoreReviews.gql.ts'
import type { ReviewItemFragment } from './ReviewItem.gql.ts'

interface ReviewListProps {
  productId: string
  rating: number
  /** The first page, newest first. */
  reviews: { items: ReviewItemFragment[]; pages: number; total: number }
  /** What stands under the summary: the Leave Review panel. */
  aside: ReactNode
}

export function ReviewList({ productId, rating, reviews, aside }: ReviewListProps) {
  const more = useMoreReviews(productId, reviews)
  return (
    <Section id="reviews" aria-labelledby="reviews-title">
      <Summary>
        <h2 id="reviews-title">Customer Reviews</h2>
        {reviews.total > 0 && (
          <Average>
            <strong aria-hidden="true">{rating.toFixed(1)}</strong>
            <Stars rating={rating} />
            <span>from {reviews.total === 1 ? '1 review' : `${reviews.total.toLocaleString('en-US')} reviews`}</span>
          </Average>
        )}
        {aside}
      </Summary>
      <div>
        {reviews.total === 0 && <Notice>No Reviews</Notice>}
        <List>
          {more.items.map(review => (
            <ReviewItem key={review.id} review={review} />
          ))}
        </List>
        {more.error && (
          <Notice variant="danger" onRetry={more.load}>
            {more.error}
          </Notice>
        )}
        {more.left && !more.error && (
          <Button variant="quiet" loading={more.loading} onClick={more.load}>
            Show more reviews
          </Button>
        )}
      </div>
    </Section>
  )
}

function ReviewItem({
  review: { name, rating, comment, createdAt, verifiedPurchase },
}: {
  review: ReviewItemFragment
}) {
  return (
    <Item>
      <ItemHead>
        <strong>{name}</strong>
        <Stars rating={rating} />
      </ItemHead>
      <Meta>
        <time dateTime={createdAt}>{dates.format(new Date(createdAt))}</time>
        {verifiedPurchase && (
          <span>
            <CheckIcon size={14} strokeWidth={2} /> Verified purchase
          </span>
        )}
      </Meta>
      <p>{comment}</p>
    </Item>
  )
}

// One time zone, so that server and browser write the same day.
const dates = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** The pages after the first, fetched one by one and put under what is there. */
function useMoreReviews(id: string, first: ReviewListProps['reviews']) {
  const client = useApolloClient()
  const [later, setLater] = useState<ReviewItemFragment[]>([])
  const [page, setPage] = useState(1)
  const [state, setState] = useState<'idle' | 'loading' | { error: string }>('idle')

  const load = async () => {
    setState('loading')
    try {
      const { data } = await client.query({ query: MoreReviewsDocument, variables: { id, page: page + 1 } })
      setLater(later => [...later, ...(data?.product?.reviews.items ?? [])])
      setPage(page + 1)
      setState('idle')
    } catch (error) {
      setState({ error: messageOf(error) })
    }
  }

  // A review written meanwhile moves the others on by one: the last of the first page comes again with the second.
  const known = new Set(first.items.map(review => review.id))
  const unseen = later.filter(review => !known.has(review.id) && known.add(review.id))
  return {
    items: [...first.items, ...unseen],
    left: page < first.pages,
    loading: state === 'loading',
    error: typeof state === 'object' ? state.error : null,
    load: () => void load(),
  }
}

const Section = styled.section`
  display: grid;
  gap: ${space[6]};
  padding-top: ${space[6]};
  border-top: 1px solid ${color.line};
  ${from.desktop} {
    grid-template-columns: 4fr 8fr;
    gap: ${space[7]};
    align-items: start;
  }
`
const Summary = styled.div`
  display: grid;
  justify-items: start;
  gap: ${space[4]};
  ${from.desktop} {
    position: sticky;
    top: ${space[5]};
  }
`
const Average = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${space[1]} ${space[3]};
  strong {
    font: ${weight.medium} ${size.h1} / 1 ${font.serif};
  }
  > span {
    font-size: ${size.md};
    color: ${color.textQuiet};
  }
`
const List = styled.ul`
  display: grid;
  gap: ${space[6]};
  margin-bottom: ${space[6]};
  padding: 0;
  list-style: none;
  &:empty {
    display: none;
  }
`
const Item = styled.li`
  max-width: ${measure.text};
  > p {
    margin-top: ${space[2]};
    white-space: pre-line;
  }
`
const ItemHead = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0 ${space[3]};
  strong {
    font-weight: ${weight.strong};
  }
`
const Meta = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0 ${space[3]};
  font-size: ${size.sm};
  color: ${color.textQuiet};
  span {
    display: inline-flex;
    align-items: center;
    gap: 0.25em;
  }
`
