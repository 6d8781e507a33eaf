import type { Location } from './location.ts'

/** Why there is no database, in one sentence for the person who started the shop. */
export class PostgresError extends Error {
  override readonly name: string = 'PostgresError'
}

export class DataDirInUse extends PostgresError {
  override readonly name = 'DataDirInUse'
}

export function failure({ cluster }: Location, what: string, output: string): PostgresError {
  if (/No space left on device|Disk quota exceeded|wrote only \d+ of \d+ bytes/.test(output)) return diskFull(cluster)
  const reason = /^.*(?:FATAL|PANIC|ERROR|error): +(.*)$/m.exec(output)?.[1] ?? lastLine(output) ?? 'it said nothing'
  return new PostgresError(`PostgreSQL ${what}: ${reason}.`)
}

function diskFull(path: string): PostgresError {
  return new PostgresError(
    `The disk that holds ${path} is full: make room, or set DATA_DIR to a directory on another disk.`,
  )
}

export function inOneSentence(error: unknown, dataDir: string): unknown {
  const { errno, code, path } = error as NodeJS.ErrnoException
  if (error instanceof PostgresError || errno === undefined) return error
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(dataDir)
  const at = path && path !== dataDir ? ` at ${path}` : ''
  return new PostgresError(
    `The data directory ${dataDir} cannot be written to (${code}${at}): change its permissions, or set DATA_DIR to another directory.`,
    { cause: error },
  )
}

export function lastLine(text: string | null): string | undefined {
  return text?.trim().split('\n').at(-1) || undefined
}
