import { GraphQLError } from 'graphql'
import type { UserError, UserErrorCode } from './generated/types.ts'

/** A refusal that is data: ends up in `userErrors` of the mutation's payload. A query has none and answers with an error. */
export class Refusal extends GraphQLError {
  readonly userErrors: UserError[]
  /** What the payload shows beside the errors, for example the fresh quote with PRICE_CHANGED. */
  readonly details: Record<string, unknown>

  constructor(userErrors: UserError[], details: Record<string, unknown> = {}) {
    super(userErrors.map(error => error.message).join(' '), { extensions: { code: 'BAD_USER_INPUT', userErrors, http: { status: 400 } } })
    this.userErrors = userErrors
    this.details = details
  }
}

export function refuse(code: UserErrorCode, message: string, more: Partial<UserError> & { details?: Record<string, unknown> } = {}): Refusal {
  const { details, ...error } = more
  return new Refusal([{ code, message, ...error }], details)
}

/** Runs a mutation: its result with no errors, or the refusal as data. Anything else is a bug and passes through. */
export async function payload<T extends object>(run: () => Promise<T>): Promise<T & { userErrors: UserError[] }> {
  try {
    return { ...(await run()), userErrors: [] }
  } catch (error) {
    if (error instanceof Refusal) return { ...error.details, userErrors: error.userErrors } as T & { userErrors: UserError[] }
    throw error
  }
}

export const unauthenticated = () =>
  new GraphQLError('Please sign in.', { extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } } })

export const forbidden = () =>
  new GraphQLError('Only an administrator may do that.', { extensions: { code: 'FORBIDDEN', http: { status: 403 } } })

export const tooManyTries = (seconds: number) =>
  new GraphQLError(`Too many tries. Please wait ${seconds} seconds and try again.`, {
    extensions: { code: 'RATE_LIMITED', retryAfter: seconds, http: { status: 429, headers: new Map([['retry-after', String(seconds)]]) } },
  })

/** The shop cannot take this on right now, but soon will. */
export const unavailable = (seconds: number) =>
  new GraphQLError(`The shop is very busy. Please try again in ${seconds} seconds.`, {
    extensions: { code: 'UNAVAILABLE', retryAfter: seconds, http: { status: 503, headers: new Map([['retry-after', String(seconds)]]) } },
  })

const HIDDEN = 'Yarn it! Something went wrong!'

/** What a client may see of a GraphQL error: our own codes as they are, anything unexpected only as an apology. */
export function maskError(error: { message: string; extensions?: Record<string, unknown> }) {
  const code = error.extensions?.['code']
  if (code !== undefined && code !== 'INTERNAL_SERVER_ERROR') {
    const { stacktrace: _, http: __, ...extensions } = error.extensions ?? {}
    return { ...error, extensions }
  }
  return { message: HIDDEN, extensions: { code: 'INTERNAL_SERVER_ERROR' } }
}
