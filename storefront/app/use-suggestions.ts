import { useApolloClient } from '@apollo/client/react'
import { useEffect, useState } from 'react'
import { type SuggestionsQuery, SuggestionsDocument } from './Suggestions.gql.ts'

const PAUSE_MS = 120

type Suggested = SuggestionsQuery['searchSuggestions']

/** Suggestions for what is typed so far. Null while there are none; a request that newer typing has overtaken is cancelled. */
export function useSuggestions(typed: string): Suggested | null {
  const client = useApolloClient()
  const [answer, setAnswer] = useState<{ typed: string; suggested: Suggested } | null>(null)
  useEffect(() => {
    if (!typed) return
    const overtaken = new AbortController()
    const ask = async () => {
      try {
        const { data } = await client.query({
          query: SuggestionsDocument,
          variables: { typed },
          context: { fetchOptions: { signal: overtaken.signal }, queryDeduplication: false },
        })
        if (data && !overtaken.signal.aborted) setAnswer({ typed, suggested: data.searchSuggestions })
      } catch {
        // Without suggestions the box still searches.
      }
    }
    const pause = setTimeout(() => void ask(), PAUSE_MS)
    return () => {
      clearTimeout(pause)
      overtaken.abort()
    }
  }, [client, typed])
  // The last answer stays until the next is there, so that the list does not flicker.
  return typed && answer ? answer.suggested : null
}
