import { DriverException } from '@mikro-orm/postgresql'
import pino, { type DestinationStream, type Level, type LogFn, type Logger } from 'pino'
import { requestId } from './request-id.ts'

/** The shop's log: a line of JSON for each thing, and in none of them what a client sent or the database holds. */
export function createLog(level: Level | 'silent', destination?: DestinationStream): Logger {
  return pino(
    { level, serializers: { err: loggedError }, mixin: ofRequest, hooks: { logMethod: withMessage } },
    destination ?? pino.destination(1),
  )
}

/** What an answer that apologises names, so that its line is found. */
const ofRequest = () => {
  const id = requestId()
  return id === undefined ? {} : { requestId: id }
}

/** An error logged without a message of ours would bring its own. */
function withMessage(this: Logger, [first, ...words]: Parameters<LogFn>, log: LogFn): void {
  if (first instanceof Error && words.length === 0) log.call(this, first, loggedError(first).message)
  else log.call(this, first, ...words)
}

interface LoggedError {
  type: string
  message: string
  code?: unknown
  /** Where in the database it happened: names of ours, no values. */
  table?: unknown
  constraint?: unknown
  stack?: string
  cause?: LoggedError | undefined
}

type Failure = Error & { code?: unknown; severity?: unknown; table?: unknown; constraint?: unknown }

/**
 * What may be logged of an error. One from the database says everything: the statement with its values in it, the row
 * that did not fit. So only its code is logged, and where it happened. Of others nothing but what every error has:
 * libraries hang requests and answers on them.
 */
function loggedError(error: unknown): LoggedError {
  const { name, message, code, table, constraint, cause } = error as Failure
  const known = {
    type: name,
    ...(code !== undefined && { code }),
    ...(cause instanceof Error && { cause: loggedError(cause) }),
  }
  if (!isDatabase(error)) return { ...known, message, stack: `${name}: ${message}\n${framesOf(error as Failure)}` }
  return {
    ...known,
    message: `PostgreSQL: ${String(code ?? 'no answer')}`,
    ...(table !== undefined && { table }),
    ...(constraint !== undefined && { constraint }),
    stack: framesOf(error as Failure),
  }
}

const isDatabase = (error: unknown) => error instanceof DriverException || (error as Failure).severity !== undefined

/** Without the message before them. */
function framesOf({ stack = '' }: Failure): string {
  return stack
    .split('\n')
    .filter(text => /^ {4}at \S.*:\d+:\d+\)?$/.test(text))
    .join('\n')
}
