import { unavailable, unusableValue } from '../kernel/errors.ts'

/** Serialization failure, deadlock: the same transaction may well succeed a moment later. */
const CONFLICTS = ['40001', '40P01']

/**
 * What a working shop meets with now and then: conflicts, locks and statements that took too long (55P03, 57014, and
 * 25P03 and 25P04 for transactions), connections that failed (08), resources used up (53), a server that stops (57P) or
 * cannot reach its disk (58).
 */
const OUTAGES =
  /^(?:08(?!P01)...|53...|57P..|57014|58...|55P03|25P03|25P04|40001|40P01|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/

/** What the client library says without a code when the pool is used up or a connection is lost. */
const LOST =
  /^(?:timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|Cannot use a pool after calling end)/

/** Values PostgreSQL cannot read or hold; a NUL among them is a protocol violation. */
const UNUSABLE = /^(?:22...|08P01)$/

type Failure = Error & { code?: unknown; syscall?: string; extensions?: object }

/** A statement that ran out of time would take as long on any server. */
const TOO_LONG = '57014'

/** A Unix socket fails with file errors (missing, busy) that mean something else elsewhere. */
const isDown = ({ code, syscall, message }: Failure) =>
  OUTAGES.test(String(code ?? '')) || syscall === 'connect' || LOST.test(message)

/** Whether another server may be able to answer. */
export function isOutage(error: unknown): boolean {
  const failure = error as Failure
  return failure.code !== TOO_LONG && isDown(failure)
}

export const isConflict = (error: unknown): boolean => CONFLICTS.includes(String((error as Failure).code))

/**
 * Adds to an error's message and `extensions` what clients may know, when the database failed for a reason that is not
 * a bug. Other errors stay as they are.
 */
export function explain<E>(error: E): E {
  const failure = error as Failure
  if (!(failure instanceof Error) || failure.extensions) return error
  const isUnusable = UNUSABLE.test(String(failure.code ?? ''))
  const refusal = isDown(failure) ? unavailable() : isUnusable ? unusableValue() : null
  // What the database said stays in the stack, for the log.
  return refusal
    ? (Object.assign(error as Failure, { message: refusal.message, extensions: refusal.extensions }) as E)
    : error
}
