import { ApolloLink } from '@apollo/client'
import { from, mergeMap } from 'rxjs'

/** Sends subscriptions. The code for event streams comes with the first of them: few pages have any. */
export const liveLink = new ApolloLink(operation =>
  from(import('./event-stream.ts')).pipe(mergeMap(({ follow }) => follow(operation))),
)
