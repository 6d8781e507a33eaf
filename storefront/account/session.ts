import { stored } from '../data/stored.ts'
import type { ApiScope } from '../generated/types.ts'
import type { SessionUserFragment } from './SessionUser.gql.ts'

/** The signed-in user as the browser keeps it under `userInfo`. SPEC §3. */
export interface UserInfo {
  _id: string
  name: string
  email: string
  isAdmin: boolean
  /** What an administrator may do. A session that is older than permissions has none: the API knows. */
  permissions?: readonly ApiScope[] | undefined
  token: string
}

const userInfo = stored<UserInfo | null>('userInfo', null, raw => (isUserInfo(raw) ? raw : null))

/** The signed-in user; null for a visitor, on the server and while hydrating (see `useHydrated`). */
export const useSession = userInfo.use

/** The signed-in user, on a page that a guard shows to nobody else. */
export function useSignedIn(): UserInfo {
  const session = useSession()
  if (!session) throw new Error('Nobody is signed in.')
  return session
}

/** The signed-in user right now, for code outside components. */
export const currentSession = userInfo.get

/** Calls back when somebody signs in or out, here or in another tab. */
export const onSessionChange = userInfo.subscribe

export function signIn({ _id, name, email, isAdmin, permissions, token }: UserInfo) {
  userInfo.set({ _id, name, email, isAdmin, ...(isAdmin && { permissions }), token })
}

/** Signs in with what login, register or a changed profile answered. */
export function signInWith(user: SessionUserFragment, token: string) {
  signIn({ ...user, _id: user.id, token })
}

/** Forgets the user, and only the user: the cart stays. Logging out for good is `useLogOut`. */
export function signOut() {
  userInfo.set(null)
}

function isUserInfo(raw: unknown): raw is UserInfo {
  const user = raw as UserInfo | null | undefined
  return (
    typeof user?._id === 'string' &&
    typeof user.name === 'string' &&
    typeof user.token === 'string' &&
    user.token !== ''
  )
}
