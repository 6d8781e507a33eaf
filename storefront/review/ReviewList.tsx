import { useApolloClient } from '@apollo/client/react'
import { lazy, type ReactNode, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { styled } from 'styled-components'
import { gaugeWords, toolWords } from '#schema/rules/facts/units'
import { variantName } from '#schema/rules/variant-name'
import { messageOf } from '../data/errors.ts'
import { paths } from '../paths.ts'
import { color, font, from, measure, size, space, weight } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { CheckIcon } from '../ui/icons.tsx'
import { Measure } from '../ui/Measure.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Part } from '../ui/Part.tsx'
import { BareSelect } from '../ui/Select.tsx'
import { Stars } from '../ui/Stars.tsx'
import { MoreGroupReviewsDocument, MoreReviewsDocument } from './MoreReviews.gql.ts'
import type { ReviewOrder } from '../generated/types.ts'
import type { ReviewItemFragment } from './ReviewItem.gql.ts'
import type { ReviewListFragment } from './ReviewList.gql.ts'
import { ReviewPictures } from './ReviewPictures.tsx'
import { StarBars } from './StarBars.tsx'
import { useVotes } from './use-votes.ts'

const HelpfulVote = lazy(() => import('./HelpfulVote.tsx'))

/** In the list of a group it says which of its products it is about. */
type Listed = ReviewItemFragment & { product?: { id: string; name: string } | null }

interface ReviewPages {
  items: Listed[]
  pages: number
}

/** Which of the reviews are shown, and how. */
interface Choice {
  /** Of a group: only those of the product. */
  onlyOwn: boolean
  order: ReviewOrder
  stars: number | null
}

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
            Knitters got <Told needleMm={summary.knitted.needleMm} gauge={summary.knitted.gauge} />
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

/** "21 sts in 10 cm on 4.5 mm". */
function Told({ needleMm, gauge }: { needleMm: number | null; gauge: number | null }) {
  const range = (value: number) => ({ from: value, to: value })
  const words = (units: 'METRIC' | 'US') =>
    [
      gauge !== null && gaugeWords(range(gauge), null, units),
      needleMm !== null && `on ${toolWords([range(needleMm)], 'NEEDLE', units)}`,
    ]
      .filter(Boolean)
      .join(' ')
  return <Measure metric={words('METRIC')} us={words('US')} />
}

type FetchPage = (choice: Choice, page: number) => Promise<ReviewPages>

function useFetchPage(productId: string, groupId: string | undefined): FetchPage {
  const client = useApolloClient()
  return async ({ onlyOwn, order, stars }, page) => {
    const asked = { page, order, stars }
    const { data } =
      groupId && !onlyOwn
        ? await client.query({ query: MoreGroupReviewsDocument, variables: { id: groupId, ...asked } })
        : await client.query({ query: MoreReviewsDocument, variables: { id: productId, ...asked } })
    const found = data && ('productGroup' in data ? data.productGroup : data.product)
    return found?.reviews ?? { items: [], pages: 1 }
  }
}

const AS_RENDERED: Choice = { onlyOwn: false, order: 'NEWEST', stars: null }

/** What is chosen, and what is shown until the first page of that is there. */
function useChoice(fetchPage: FetchPage) {
  const [choice, setChoice] = useState(AS_RENDERED)
  // Without a first page where that came with the product.
  const [shown, setShown] = useState<{ choice: Choice; first: ReviewPages | null }>({ choice, first: null })
  const [error, setError] = useState<string | null>(null)
  const latest = useRef(choice)

  const open = async (next: Choice) => {
    const cameWithProduct = next.order === AS_RENDERED.order && next.stars === AS_RENDERED.stars
    try {
      const first = cameWithProduct ? null : await fetchPage(next, 1)
      // Whoever chooses again before the answer is there wants the later choice.
      if (latest.current === next) setShown({ choice: next, first })
    } catch (error) {
      if (latest.current === next) setError(messageOf(error))
    }
  }

  const choose = (change: Partial<Choice>) => {
    const next = { ...choice, ...change }
    latest.current = next
    setChoice(next)
    setError(null)
    void open(next)
  }

  return { choice, choose, shown, loading: shown.choice !== choice && error === null, error }
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

function ReviewItem({
  review,
  vote,
  of,
}: {
  review: ReviewItemFragment
  /** Whether the reader found it helpful; undefined for those who cannot say so. */
  vote: boolean | undefined
  /** Which product of the group it is about. */
  of: ReactNode
}) {
  const { name, rating, comment, createdAt, verifiedPurchase, needleMm, gauge, project, pictures, helpful, answer } =
    review
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
      {(project !== null || needleMm !== null || gauge !== null) && (
        <Meta>
          {project !== null && <span>{project}</span>}
          {(needleMm !== null || gauge !== null) && (
            <span>
              <Told needleMm={needleMm} gauge={gauge} />
            </span>
          )}
        </Meta>
      )}
      <ReviewPictures by={name} pictures={pictures} />
      {answer && (
        <Answer>
          <strong>The shop answers</strong>
          <p>{answer.text}</p>
        </Answer>
      )}
      {(helpful > 0 || vote !== undefined) && (
        <Meta>
          {helpful > 0 && <span>{helpful === 1 ? '1 found it helpful' : `${helpful} found it helpful`}</span>}
          {vote !== undefined && (
            <Part>
              <HelpfulVote review={review} isMarked={vote} />
            </Part>
          )}
        </Meta>
      )}
    </Item>
  )
}

// One time zone, so that server and browser write the same day.
const dates = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** The pages after the first, fetched one by one and put under what is there. */
function useMoreReviews(first: ReviewPages, fetchPage: (page: number) => Promise<ReviewPages>) {
  const [later, setLater] = useState<Listed[]>([])
  const [page, setPage] = useState(1)
  const [state, setState] = useState<'idle' | 'loading' | { error: string }>('idle')

  const load = async () => {
    setState('loading')
    try {
      const { items } = await fetchPage(page + 1)
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
  /* Not those of a measure, of which one is hidden. */
  > span {
    display: inline-flex;
    align-items: center;
    gap: 0.25em;
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
const Answer = styled.blockquote`
  margin: ${space[3]} 0;
  padding-left: ${space[4]};
  border-left: 2px solid ${color.line};
  font-size: ${size.md};
  strong {
    font-weight: ${weight.strong};
  }
  p {
    white-space: pre-line;
  }
`
