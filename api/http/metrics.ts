import { timingSafeEqual } from 'node:crypto'
import type { ApolloServerPlugin } from '@apollo/server'
import type { MikroORM } from '@mikro-orm/postgresql'
import type { FastifyInstance } from 'fastify'
import { Kind, type OperationDefinitionNode } from 'graphql'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { hashOf } from '../kernel/tokens.ts'
import { Problem, sendProblem } from './problem.ts'

interface MetricsOptions {
  /** The token that may read them. */
  token: string
  orm: MikroORM
  /** By name. */
  caches: Record<string, { readonly bytes: number }>
}

/** In seconds; the budgets lie at 20 and 40 ms. */
const BUCKETS = [0.005, 0.01, 0.02, 0.04, 0.1, 0.3, 1, 3, 10]

/**
 * What this process has done and holds, for Prometheus at /metrics. Labels take their values from routes, the schema and
 * the shop's own queues, never from what a client sends: there would be no end of them.
 */
export function openMetrics(app: FastifyInstance, { token, orm, caches }: MetricsOptions): ApolloServerPlugin {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'skein_http_request_duration_seconds',
    help: 'From the headers of a request to the end of its answer; a stream counts when it ends.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers,
  })
  const fields = new Histogram({
    name: 'skein_graphql_operation_duration_seconds',
    help: 'Operations at /graphql, once for each field of Query or Mutation that they ask for.',
    labelNames: ['type', 'field', 'outcome'],
    buckets: BUCKETS,
    registers,
  })
  const bytes = new Gauge({
    name: 'skein_cache_bytes',
    help: 'Kept of the answers and pages that visitors share.',
    labelNames: ['cache'],
    registers,
  })
  const counted = (name: string, help: string, label: string, sql: string) =>
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers,
      async collect() {
        this.reset()
        // Without its database the shop still reports the rest.
        const rows = await orm.em
          .fork()
          .execute<{ value: string; count: number }[]>(sql)
          .catch(() => [])
        for (const { value, count } of rows) this.set({ [label]: value }, count)
      },
    })
  counted(
    'skein_database_connections',
    'Connections of all processes to the database of the shop, by what they do.',
    'state',
    `select coalesce(state, 'other') as value, count(*)::int as count from pg_stat_activity
     where datname = current_database() group by 1`,
  )
  counted(
    'skein_jobs_waiting',
    'Jobs that are due and not done yet, by queue.',
    'queue',
    `select name as value, count(*)::int as count from pgboss.job
     where state in ('created', 'retry', 'active') and start_after <= now() group by 1
     union all select 'mails', count(*)::int from mails where due_at <= now()`,
  )

  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    const status = `${Math.floor(statusCode / 100)}xx`
    requests.observe({ method, route: routeOptions.url ?? 'none', status }, elapsedTime / 1_000)
  })
  const expected = Buffer.from(hashOf(`Bearer ${token}`))
  app.get('/metrics', async ({ headers }, reply) => {
    if (!timingSafeEqual(Buffer.from(hashOf(headers.authorization ?? '')), expected))
      return sendProblem(reply, new Problem(401, 'UNAUTHENTICATED', 'Metrics need METRICS_TOKEN as a bearer token.'))
    for (const [cache, kept] of Object.entries(caches)) bytes.set({ cache }, kept.bytes)
    return reply
      .header('cache-control', 'no-store')
      .type(registry.contentType)
      .send(await registry.metrics())
  })

  return {
    async requestDidStart() {
      const start = performance.now()
      return {
        async willSendResponse({ operation, response: { body } }) {
          if (!operation || body.kind !== 'single') return
          const outcome = body.singleResult.errors ? 'error' : 'answered'
          for (const field of rootFieldsOf(operation))
            fields.observe({ type: operation.operation, field, outcome }, (performance.now() - start) / 1_000)
        },
      }
    },
  }
}

/** The fields of Query or Mutation that an operation asks for. */
export const rootFieldsOf = ({ selectionSet }: OperationDefinitionNode) =>
  new Set(selectionSet.selections.flatMap(each => (each.kind === Kind.FIELD ? [each.name.value] : [])))
