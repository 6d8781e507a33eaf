import type { ReactNode } from 'react'
import { styled } from 'styled-components'
import { variantName } from '#schema/rules/variant-name'
import { paths } from '../paths.ts'
import { color, font, from, size, space, weight } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { Link } from '../ui/Link.tsx'
import { Notice } from '../ui/Notice.tsx'
import { BareSelect } from '../ui/Select.tsx'
import { Stars } from '../ui/Stars.tsx'
import type { ReviewOrder } from '../generated/types.ts'
import type { ReviewListFragment } from './ReviewList.gql.ts'
import { Knitted, ReviewItem } from './ReviewItem.tsx'
import { type ReviewPages, useChoice, useFetchPage, useMoreReviews } from './review-pages.ts'
import { StarBars } from './StarBars.tsx'
import { useVotes } from './use-votes.ts'

interface ReviewListProps {
  /** With the first page of its reviews, and of those of its group, newest first. */
  product: ReviewListFragment
  /** What stands under the summary: the Leave Review panel. */
  aside: ReactNode
}

const ORDERS: Record<ReviewOrder, string> = {
  NEWEST: 'Newest first',
  HELPFUL: 'Most helpful first',
  HIGHEST: 'Most stars first',
  LOWEST: 'Fewest stars first',
}

export function ReviewList({ product, aside }: ReviewListProps) {
  const { id: productId, reviews: own, group } = product
  const others = group && group.reviews.total > own.total ? group : null
  const fetchPage = useFetchPage(productId, others?.id)
  const { choice, choose, shown, loading, error } = useChoice(fetchPage)
  const { rating, reviews } = (!choice.onlyOwn && others) || product
  const summary = (!choice.onlyOwn && others?.reviewSummary) || product.reviewSummary
  const rendered = (!shown.choice.onlyOwn && others?.reviews) || own
  return (
    <Section id="reviews" aria-labelledby="reviews-title">
      <Summary>
        <h2 id="reviews-title">Customer Reviews</h2>
        {reviews.total > 0 && (
          <>
            <Average>
              <strong aria-hidden="true">{rating.toFixed(1)}</strong>
              <Stars rating={rating} />
              <span>from {reviews.total === 1 ? '1 review' : `${reviews.total.toLocaleString('en-US')} reviews`}</span>
            </Average>
            <StarBars counts={summary.stars} chosen={choice.stars} onChoose={stars => choose({ stars })} />
          </>
        )}
        {summary.knitted && (
          <p>
            Knitters got <Knitted needleMm={summary.knitted.needleMm} gauge={summary.knitted.gauge} />
            <Quiet> ({summary.knitted.knitters} tell)</Quiet>
          </p>
        )}
        {others && (
          <Button
            variant="quiet"
            size="sm"
            aria-pressed={choice.onlyOwn}
            onClick={() => choose({ onlyOwn: !choice.onlyOwn })}
          >
            {others.variesBy === 'COLOUR' ? 'Only this colourway' : 'Only this size'} ({own.total})
          </Button>
        )}
        {aside}
      </Summary>
      <div aria-busy={loading}>
        {reviews.total === 0 && <Notice>No Reviews</Notice>}
        {reviews.total > 1 && (
          <Tools>
            <BareSelect
              aria-label="Order of the reviews"
              value={choice.order}
              onChange={({ target }) => choose({ order: target.value as ReviewOrder })}
            >
              {Object.entries(ORDERS).map(([key, words]) => (
                <option key={key} value={key}>
                  {words}
                </option>
              ))}
            </BareSelect>
            {choice.stars !== null && (
              <Button variant="quiet" size="sm" onClick={() => choose({ stars: null })}>
                Show all stars
              </Button>
            )}
          </Tools>
        )}
        {error && (
          <Notice variant="danger" onRetry={() => choose({})}>
            {error}
          </Notice>
        )}
        <Pages
          key={Object.values(shown.choice).join()}
          productId={productId}
          group={shown.choice.onlyOwn ? null : others}
          first={shown.first ?? rendered}
          fetchPage={page => fetchPage(shown.choice, page)}
        />
      </div>
    </Section>
  )
}

interface PagesProps {
  productId: string
  group: { name: string } | null
  first: ReviewPages
  fetchPage: (page: number) => Promise<ReviewPages>
}

function Pages({ productId, group, first, fetchPage }: PagesProps) {
  const more = useMoreReviews(first, fetchPage)
  const votes = useVotes(more.items.map(({ id }) => id))
  return (
    <>
      <List>
        {more.items.map(review => (
          <ReviewItem
            key={review.id}
            review={review}
            vote={votes.get(review.id)}
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
const Quiet = styled.span`
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
const Tools = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${space[3]};
  margin-bottom: ${space[5]};
  > :first-child {
    max-width: 14rem;
  }
`
