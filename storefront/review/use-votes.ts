import { useQuery } from '@apollo/client/react'
import { useSession } from '../account/session.ts'
import { ViewerVotesDocument } from './HelpfulVote.gql.ts'

/** The API answers for at most this many at a time. */
const MOST = 50

/** For each review on screen that the signed-in person may mark as helpful, whether they have. Empty for visitors. */
export function useVotes(ids: readonly string[]): ReadonlyMap<string, boolean> {
  const session = useSession()
  const { data, previousData } = useQuery(ViewerVotesDocument, {
    variables: { ids: ids.slice(-MOST) },
    skip: !session || ids.length === 0,
  })
  const nodes = session ? ((data ?? previousData)?.nodes ?? []) : []
  return new Map(
    nodes.flatMap(node =>
      node?.__typename === 'Review' && node.userId !== session?._id
        ? [[node.id, node.viewerFoundHelpful === true] as const]
        : [],
    ),
  )
}
