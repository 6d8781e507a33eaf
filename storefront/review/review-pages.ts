import { useApolloClient } from '@apollo/client/react'
import { useRef, useState } from 'react'
import { messageOf } from '../data/errors.ts'
import type { ReviewOrder } from '../generated/types.ts'
import { MoreGroupReviewsDocument, MoreReviewsDocument } from './MoreReviews.gql.ts'
import type { ReviewItemFragment } from './ReviewItem.gql.ts'

/** In the list of a group, a review says which of the group's products it is about. */
type Listed = ReviewItemFragment & { product?: { id: string; name: string } | null }

export interface ReviewPages {
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

type FetchPage = (choice: Choice, page: number) => Promise<ReviewPages>

export function useFetchPage(productId: string, groupId: string | undefined): FetchPage {
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

/** The current choice, and the one that is shown until the first page of the current one has arrived. */
export function useChoice(fetchPage: FetchPage) {
  const [choice, setChoice] = useState(AS_RENDERED)
  // `first` is null where the first page came with the product.
  const [shown, setShown] = useState<{ choice: Choice; first: ReviewPages | null }>({ choice, first: null })
  const [error, setError] = useState<string | null>(null)
  const latest = useRef(choice)

  const open = async (next: Choice) => {
    const cameWithProduct = next.order === AS_RENDERED.order && next.stars === AS_RENDERED.stars
    try {
      const first = cameWithProduct ? null : await fetchPage(next, 1)
      // If another choice was made before the answer arrived, the later one counts.
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

/** The pages after the first, fetched one by one and added below it. */
export function useMoreReviews(first: ReviewPages, fetchPage: (page: number) => Promise<ReviewPages>) {
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

  // A review written meanwhile moves the others down by one, so the last of the first page is in the second, too.
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
