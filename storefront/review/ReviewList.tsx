import { useApolloClient } from '@apollo/client/react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import { styled } from 'styled-components'
import { variantName } from '#schema/rules/variant-name'
import { messageOf } from '../data/errors.ts'
import { paths } from '../paths.ts'
import { color, font, from, measure, size, space, weight } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { CheckIcon } from '../ui/icons.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Stars } from '../ui/Stars.tsx'
import { MoreGroupReviewsDocument, MoreReviewsDocument } from './MoreReviews.gql.ts'
import type { ReviewItemFragment } from './ReviewItem.gql.ts'

/** In the list of a group it says which of its products it is about. */
type Listed = ReviewItemFragment & { product?: { id: string; name: string } | null }

interface ReviewPages {
  items: Listed[]
  pages: number
  total: number
}

interface ReviewListProps {
  productId: string
  rating: number
  /** The first page, newest first. */
  reviews: ReviewPages
  /** The line of products it belongs to, with what is said of all of them. */
  group?: { id: string; name: string; variesBy: 'COLOUR' | 'SIZE'; rating: number; reviews: ReviewPages } | null
  /** What stands under the summary: the Leave Review panel. */
  aside: ReactNode
}

export function ReviewList({ productId, rating: ownRating, reviews: own, group, aside }: ReviewListProps) {
  const others = group && group.reviews.total > own.total ? group : null
  const [onlyOwn, setOnlyOwn] = useState(false)
  const whole = onlyOwn ? null : others
  const { rating, reviews } = whole ?? { rating: ownRating, reviews: own }
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
        {others && (
          <Button variant="quiet" size="sm" aria-pressed={onlyOwn} onClick={() => setOnlyOwn(!onlyOwn)}>
            {others.variesBy === 'COLOUR' ? 'Only this colourway' : 'Only this size'} ({own.total})
          </Button>
        )}
        {aside}
      </Summary>
      <div>
        {reviews.total === 0 && <Notice>No Reviews</Notice>}
        <Pages key={whole ? 'group' : 'product'} productId={productId} group={whole} reviews={reviews} />
      </div>
    </Section>
  )
}

function Pages({ productId, group, reviews }: Pick<ReviewListProps, 'productId' | 'group' | 'reviews'>) {
  const client = useApolloClient()
  const more = useMoreReviews(reviews, async page => {
    if (!group) {
      const { data } = await client.query({ query: MoreReviewsDocument, variables: { id: productId, page } })
      return data?.product?.reviews.items ?? []
    }
    const { data } = await client.query({ query: MoreGroupReviewsDocument, variables: { id: group.id, page } })
    return data?.productGroup?.reviews.items ?? []
  })
  return (
    <>
      <List>
        {more.items.map(review => (
          <ReviewItem
            key={review.id}
            review={review}
            of={
              group &&
              review.product &&
              (review.product.id === productId ? (
                variantName(review.product.name, group.name)
              ) : (
                <Link to={paths.product(review.product.id, review.product.name)}>
                  {variantName(review.product.name, group.name)}
                </Link>
              ))
            }
          />
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
    </>
  )
}

function ReviewItem({
  review: { name, rating, comment, createdAt, verifiedPurchase },
  of,
}: {
  review: ReviewItemFragment
  /** Which product of the group it is about. */
  of: ReactNode
}) {
  return (
    <Item>
      <ItemHead>
        <strong>{name}</strong>
        <Stars rating={rating} />
      </ItemHead>
      <Meta>
        <time dateTime={createdAt}>{dates.format(new Date(createdAt))}</time>
        {of && <span>{of}</span>}
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
function useMoreReviews(first: ReviewPages, fetchPage: (page: number) => Promise<Listed[]>) {
  const [later, setLater] = useState<Listed[]>([])
  const [page, setPage] = useState(1)
  const [state, setState] = useState<'idle' | 'loading' | { error: string }>('idle')

  const load = async () => {
    setState('loading')
    try {
      const items = await fetchPage(page + 1)
      setLater(later => [...later, ...items])
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
