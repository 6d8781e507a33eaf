import { SpanKind } from '@opentelemetry/api'
import { endSpan, isInRequest, startSpan } from '../kernel/tracing.ts'
import type { Pool } from './give-up-broken.ts'

/** A span for each statement: its verb and table, never its text, which may hold values. */
export function traceStatements(pool: Pool): void {
  pool.on('connect', connection => {
    const query = connection.query.bind(connection)
    connection.query = (statement, ...more) => {
      if (!isInRequest()) return query(statement, ...more)
      const span = startSpan(nameOf(statement), SpanKind.CLIENT, { 'db.system.name': 'postgresql' })
      const answer = query(statement, ...more)
      // Cursors are read later, by somebody else.
      if (!(answer instanceof Promise)) endSpan(span)
      else
        answer.then(
          () => endSpan(span),
          (error: unknown) => endSpan(span, error),
        )
      return answer
    }
  })
}

const VERB = /^\s*(\w{1,20})/
const TABLE = /\b(?:from|into|update|join)\s+(?:only\s+)?"?(\w{1,63}"?(?:\."?\w{1,63})?)/i

function nameOf(statement: string | { text?: string }): string {
  // Names stand near the beginning, and statements may be long.
  const text = (typeof statement === 'string' ? statement : (statement.text ?? '')).slice(0, 2_000)
  const [verb, table] = [VERB.exec(text)?.[1]?.toUpperCase(), TABLE.exec(text)?.[1]?.replaceAll('"', '')]
  return [verb ?? 'STATEMENT', table].filter(Boolean).join(' ')
}
