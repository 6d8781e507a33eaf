import { useApolloClient } from '@apollo/client/react'
import { useRef, useState } from 'react'
import { messageOf } from '../data/errors.ts'
import type { ReviewOrder } from '../generated/types.ts'
import { MoreGroupReviewsDocument, MoreReviewsDocument } from './MoreReviews.gql.ts'
import type { ReviewItemFragment } from './ReviewItem.gql.ts'

/** In the list of a group it says which of its products it is about. */
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

/** What is chosen, and what is shown until the first page of that is there. */
export function useChoice(fetchPage: FetchPage) {
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

/** The pages after the first, fetched one by one and put under what is there. */
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
