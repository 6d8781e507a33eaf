import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors'
import type { UserErrorFragment } from './UserError.gql.ts'

export const FALLBACK_MESSAGE = 'Yarn it! Something went wrong!'

/** A refusal in a mutation's payload; see `UserError` in schema/base.graphql. */
export type UserError = UserErrorFragment

/** What the server had to say about something thrown, if anything. */
export function serverMessageOf(error: unknown): string | undefined {
  return servedErrors(error)[0]?.message || undefined
}

/** The message to show for something thrown. SPEC §8: the server's message, else the error's own, else `fallback`. */
export function messageOf(error: unknown, fallback = FALLBACK_MESSAGE): string {
  const served = serverMessageOf(error)
  if (served) return served
  if (CombinedGraphQLErrors.is(error) || ServerError.is(error)) return fallback
  const own = (error as { message?: unknown } | null | undefined)?.message
  return typeof own === 'string' && own !== '' ? own : fallback
}

/** The failed request's id in the shop’s log, if it failed for an unexpected reason. */
export function requestIdOf(error: unknown): string | undefined {
  return servedErrors(error).find(({ requestId }) => requestId)?.requestId
}

/** Thrown by a request outside Apollo when the API answers its token with 401. */
export class SessionExpired extends Error {}

/** True when the API does not accept the token that was sent, or no longer does. It has done nothing of the request then. */
export function isSessionExpired(error: unknown): boolean {
  if (error instanceof SessionExpired) return true
  return servedErrors(error).some(({ code, reason }) => code === 'UNAUTHENTICATED' && reason === 'INVALID_TOKEN')
}

/** True when the API does not allow that for this account. */
export function isForbidden(error: unknown): boolean {
  return servedErrors(error).some(({ code }) => code === 'FORBIDDEN')
}

/** True when the shop asks its administrators for a second factor, and this account has none. */
export function isSecondFactorMissing(error: unknown): boolean {
  return servedErrors(error).some(({ code }) => code === 'SECOND_FACTOR_MISSING')
}

/** True when the API would refuse the same request again. */
export function isRefused(error: unknown): boolean {
  return servedErrors(error).some(({ code }) => code === 'BAD_USER_INPUT')
}

/** True when the shop cannot answer at the moment, but will soon. */
export function isUnavailable(error: unknown): boolean {
  return servedErrors(error).some(({ code }) => code === 'UNAVAILABLE')
}

interface Served {
  message?: string
  code?: unknown
  reason?: unknown
  requestId?: string
}

function servedErrors(error: unknown): Served[] {
  if (CombinedGraphQLErrors.is(error))
    return error.errors.map(({ message, extensions }) => ({ message, ...extensions }))
  if (!ServerError.is(error)) return []
  try {
    const body = JSON.parse(error.bodyText) as {
      message?: string
      code?: string
      requestId?: string
      errors?: { message?: string; extensions?: { code?: string; reason?: string; requestId?: string } }[]
    }
    return (
      body.errors?.map(({ message, extensions }) => ({ message, ...extensions })) ?? [
        { message: body.message, code: body.code, requestId: body.requestId },
      ]
    )
  } catch {
    return []
  }
}
