import type { ApolloClient } from '@apollo/client'
import { currentSession, signInWith, type UserInfo } from './session.ts'
import { ViewerDocument } from './Viewer.gql.ts'

const AT_MOST_EVERY_MS = 2_000
let askedAt = 0

/** Takes over name, role and permissions from the API: an administrator may have changed them. */
export async function refreshSession(client: ApolloClient): Promise<void> {
  const before = currentSession()
  if (!before || Date.now() - askedAt < AT_MOST_EVERY_MS) return
  askedAt = Date.now()
  const { data } = await client.query({ query: ViewerDocument, fetchPolicy: 'no-cache' })
  const viewer = data?.viewer
  if (!viewer || viewer.id !== before._id || currentSession()?.token !== before.token) return
  if (said(viewer) !== said(before)) signInWith(viewer, before.token)
}

const said = (user: Omit<UserInfo, '_id' | 'token'>) =>
  `${user.name} ${user.email} ${user.isAdmin} ${user.permissions ?? ''}`

/** Refreshes the session whenever the page becomes visible again. */
export function keepSessionFresh(client: ApolloClient) {
  const look = () => {
    // Without an answer the session stays as it is.
    if (document.visibilityState === 'visible') refreshSession(client).catch(() => {})
  }
  document.addEventListener('visibilitychange', look)
  window.addEventListener('focus', look)
}
