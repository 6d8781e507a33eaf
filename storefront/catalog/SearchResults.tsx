import { useApolloClient } from '@apollo/client/react'
import { styled } from 'styled-components'
import { Head } from '../app/Head.tsx'
import { color, size, space } from '../theme/tokens.ts'
import { BackLink } from './BackLink.tsx'
import { AS_TYPED, useListParams } from './list-params.ts'
import { NoResults } from './NoResults.tsx'
import { NoteSearchClickDocument } from './NoteSearchClick.gql.ts'
import type { ProductListFragment } from './ProductList.gql.ts'
import { ProductList } from './ProductList.tsx'
import { useListTop } from './use-list-top.ts'
import { Link } from '../ui/Link.tsx'

interface SearchResultsProps {
  keyword: string
  list: ProductListFragment & {
    hasAllWords: boolean
    correction?: { used: string; typed: string } | null
    didYouMean?: string | null
  }
  back: string
  /** The address of a search in this list. */
  at: (keyword: string, page?: number) => string
  /** What the list's own order is called; null when it has none. */
  ownOrder: string | null
}

/** What a search found, or how to search better. */
export function SearchResults({ keyword, list, back, at, ownOrder }: SearchResultsProps) {
  const { total, hasAllWords, correction, didYouMean } = list
  const { filter } = useListParams()
  const top = useListTop()
  const client = useApolloClient()
  // The product opens whether or not the click is counted, and the list need not be drawn again for it.
  const noteClick = () =>
    void client.mutate({ mutation: NoteSearchClickDocument, variables: { keyword } }).catch(() => {})
  // If a filter leaves nothing of what the search found, the list says so itself.
  const found = total > 0 || filter !== null
  return (
    <>
      <Head
        title={found ? `Search for ${keyword}` : `Nothing found for ${keyword}`}
        description={`Yarn and knitting supplies for “${keyword}”.`}
      />
      <BackLink to={back} />
      <Heading>
        <h1 ref={top} tabIndex={-1}>
          {found ? `Search Results for "${keyword}":` : `No Results for "${keyword}":`}
        </h1>
      </Heading>
      {correction && (
        <Instead>
          Showing what we have for <strong>“{correction.used}”</strong>.{' '}
          <Link to={`${at(correction.typed)}?${AS_TYPED}`}>Search for “{correction.typed}” instead</Link>
        </Instead>
      )}
      {!hasAllWords && <Instead>Nothing has all of these words. Here is what comes closest.</Instead>}
      {didYouMean && (
        <Instead>
          Did you mean <Link to={at(didYouMean)}>“{didYouMean}”</Link>?
        </Instead>
      )}
      {found ? (
        <ProductList list={list} pathOf={page => at(keyword, page)} ownOrder={ownOrder} eager={3} onOpen={noteClick} />
      ) : (
        <NoResults />
      )}
    </>
  )
}

const Instead = styled.p`
  margin-bottom: ${space[5]};
  overflow-wrap: anywhere;
  a {
    color: ${color.accent};
  }
`

const Heading = styled.header`
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  justify-content: space-between;
  gap: ${space[1]} ${space[5]};
  margin-block: ${space[2]} ${space[6]};
  h1 {
    font-size: ${size.h2};
    overflow-wrap: anywhere;
    scroll-margin-top: ${space[5]};
  }
`
