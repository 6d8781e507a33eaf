import { GraphQLError } from 'graphql'
import type { UserError, UserErrorCode } from '../generated/types.ts'
import { requestId } from './request-id.ts'

/** A refusal that is data: ends up in `userErrors` of the mutation's payload. A query has none and answers with an error. */
export class Refusal extends GraphQLError {
  readonly userErrors: UserError[]
  /** What the payload shows beside the errors, for example the fresh quote with PRICE_CHANGED. */
  readonly details: Record<string, unknown>

  constructor(userErrors: UserError[], details: Record<string, unknown> = {}) {
    super(userErrors.map(error => error.message).join(' '), {
      extensions: { code: 'BAD_USER_INPUT', userErrors, http: { status: 400 } },
    })
    this.userErrors = userErrors
    this.details = details
  }
}

export function refuse(
  code: UserErrorCode,
  message: string,
  more: Partial<UserError> & { details?: Record<string, unknown> } = {},
): Refusal {
  const { details, ...error } = more
  return new Refusal([{ code, message, ...error }], details)
}

/** Runs a mutation: its result with no errors, or the refusal as data. Anything else is a bug and passes through. */
export async function payload<T extends object>(run: () => Promise<T>): Promise<T & { userErrors: UserError[] }> {
  try {
    return { ...(await run()), userErrors: [] }
  } catch (error) {
    if (error instanceof Refusal)
      return { ...error.details, userErrors: error.userErrors } as T & { userErrors: UserError[] }
    throw error
  }
}

export const unauthenticated = () =>
  new GraphQLError('Please sign in.', {
    extensions: { code: 'UNAUTHENTICATED', http: { status: 401, headers: new Map([['www-authenticate', 'Bearer']]) } },
  })

/** The request's token or key is invalid, and its sender believes to be signed in. RFC 6750, section 3.1. */
export const invalidToken = (message: string) =>
  new GraphQLError(message, {
    extensions: {
      code: 'UNAUTHENTICATED',
      reason: 'INVALID_TOKEN',
      http: { status: 401, headers: new Map([['www-authenticate', 'Bearer error="invalid_token"']]) },
    },
  })

export const forbidden = () =>
  new GraphQLError('Only an administrator may do that.', { extensions: { code: 'FORBIDDEN', http: { status: 403 } } })

/** Said to administrators of a shop that asks all of them for a second factor. */
export const secondFactorMissing = () =>
  new GraphQLError('Administrators of this shop need a second factor. Please set yours up in your profile.', {
    extensions: { code: 'SECOND_FACTOR_MISSING', http: { status: 403 } },
  })

export const notFound = (message: string) =>
  new GraphQLError(message, { extensions: { code: 'NOT_FOUND', http: { status: 404 } } })

/** A wait in words, never shorter than it is: "1 second", "90 seconds", "15 minutes", "3 hours". */
export function waitInWords(seconds: number): string {
  const [unit, length] =
    seconds < 120 ? (['second', 1] as const) : seconds < 7_200 ? (['minute', 60] as const) : (['hour', 3_600] as const)
  return new Intl.NumberFormat('en-US', { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.ceil(seconds / length),
  )
}

/** `advice` is what else can be done, as a sentence that ends in "or". */
export const tooManyTries = (seconds: number, advice?: string) =>
  new GraphQLError(
    `${advice ? `${advice} please` : 'Too many tries. Please'} wait ${waitInWords(seconds)} and try again.`,
    {
      extensions: {
        code: 'RATE_LIMITED',
        retryAfter: seconds,
        http: { status: 429, headers: new Map([['retry-after', String(seconds)]]) },
      },
    },
  )

/** A client has spent its points of this minute, or has too few left for what it asks. */
export function outOfPoints(perMinute: number, seconds: number, points?: number) {
  const number = (value: number) => value.toLocaleString('en-US')
  const trouble =
    points === undefined
      ? `More than ${number(perMinute)} points in a minute.`
      : points > perMinute
        ? `This costs ${number(points)} points, but ${number(perMinute)} a minute are allowed.`
        : `This costs ${number(points)} points, and fewer are left of ${number(perMinute)} a minute.`
  const advice =
    points !== undefined && points > perMinute
      ? 'Please ask for fewer items at a time.'
      : `Please wait ${waitInWords(seconds)}.`
  return new GraphQLError(`${trouble} ${advice}`, {
    extensions: {
      code: 'RATE_LIMITED',
      retryAfter: seconds,
      http: { status: 429, headers: new Map([['retry-after', String(seconds)]]) },
    },
  })
}

/** The shop cannot take this on right now, but soon will. */
export const unavailable = (seconds = 2) =>
  new GraphQLError(`The shop is very busy. Please try again in ${waitInWords(seconds)}.`, {
    extensions: {
      code: 'UNAVAILABLE',
      retryAfter: seconds,
      http: { status: 503, headers: new Map([['retry-after', String(seconds)]]) },
    },
  })

/** The disk is full, or cannot be written to. Its own word on that is for the log. */
export const cannotStore = (cause: unknown) =>
  new GraphQLError('The shop has no room for files at the moment. Please tell whoever runs it.', {
    originalError: cause as Error,
    extensions: { code: 'STORAGE_FULL', http: { status: 507 } },
  })

/** A value that passed every check, but that the database cannot store. */
export const unusableValue = () =>
  new GraphQLError('One of the values is out of range or cannot be read.', {
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
  })

/** An error that knows how it is answered over HTTP. */
export interface Expected {
  message: string
  extensions: {
    code: string
    reason?: string
    retryAfter?: number
    http: { status: number; headers?: Map<string, string> }
  }
}

/** The error, when it knows how it is answered over HTTP; null for one nobody expected. */
export function expected(error: unknown): Expected | null {
  return (error as Partial<Expected>).extensions?.http?.status ? (error as Expected) : null
}

/** What clients are answered about a bug. */
export const APOLOGY = 'Yarn it! Something went wrong!'

/** graphql stops after some number of errors in variables, and reports that without a code. */
const TOO_MANY_MISTAKES = /^Too many errors processing variables/

/** What a client may see of a GraphQL error: our own codes as they are, anything unexpected only as an apology. */
export function maskError(error: { message: string; extensions?: Record<string, unknown> }) {
  const code = error.extensions?.['code']
  if (code !== undefined && code !== 'INTERNAL_SERVER_ERROR') {
    const { stacktrace: _, http: __, ...extensions } = error.extensions ?? {}
    // Apollo's prefix for errors before the operation, such as an unreadable token.
    return { ...error, message: error.message.replace(/^Context creation failed: /, ''), extensions }
  }
  if (TOO_MANY_MISTAKES.test(error.message)) return { ...error, extensions: { code: 'BAD_USER_INPUT' } }
  return { message: APOLOGY, extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: requestId() } }
}
