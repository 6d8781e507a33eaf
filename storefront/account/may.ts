import { suffices } from '#schema/rules/scopes'
import type { ApiScope } from '../generated/types.ts'
import type { UserInfo } from './session.ts'

/** Whether the user may do, as an administrator, what this scope is for. The API checks again. */
export const may = (user: UserInfo | null, scope: ApiScope): boolean =>
  user?.isAdmin === true && (!user.permissions || suffices(user.permissions, scope))
