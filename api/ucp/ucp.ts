import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { present } from '#schema/rules/present'
import type { Context, Services } from '../context.ts'
import { runOperation, type Executor } from '../graphql/run-operation.ts'
import { Problem, problemOf, writeProblem } from '../http/problem.ts'
import { orderOpenedBy } from '../order/order-links.ts'
import { agentProfiles } from './agent-profiles.ts'
import { Nothing, error, type AnyCall, type As, type Asked, type Shop } from './call.ts'
import { calls } from './calls.ts'
import { profileOf, speaks, within } from './profile.ts'
import { read } from './read.ts'

export interface UcpOptions extends Executor {
  contextOf: (request: FastifyRequest) => Promise<Context>
  /** Public origin of the shop. */
  shopUrl: string
  /** Where the shop may look for what agents say of themselves. */
  reach: Services['webhookReach']
}

/** The Universal Commerce Protocol (decision 046): how agents find, order and follow what their buyers want, over MCP and REST. */
export async function ucp(app: FastifyInstance, { contextOf, shopUrl, reach, ...executor }: UcpOptions): Promise<void> {
  // In the protocol's words, and in those of the shop's other calls.
  app.setErrorHandler<FastifyError>((thrown, request, reply) => {
    const problem = problemOf(thrown, request)
    const { status, headers, body } = writeProblem(problem, 'json')
    const more = { content: problem.message, continue_url: shopUrl }
    return reply
      .code(status)
      .headers(headers)
      .send({ ...JSON.parse(body), ...more })
  })
  const agreedWith = agentProfiles(reach)
  const profile = profileOf(shopUrl)
  app.get('/.well-known/ucp', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send(profile),
  )

  /** Agents are visitors, whatever token they bring: that counts for how much they may ask, and for nothing else. */
  const shopFor = (context: Context): Shop => ({
    url: shopUrl,
    em: context.em,
    terms: context,
    async ask(document, variables, as) {
      return dataOf(await runOperation(executor, { document, variables, context: await visiting(context, as) }))
    },
  })

  async function answer(request: FastifyRequest, call: AnyCall, { profile, ...asked }: ByAgent) {
    const shop = shopFor(await contextOf(request))
    const agreed = await agreedWith(profile)
    try {
      if (!agreed.has(call.capability)) throw new Nothing(incompatible(call))
      return {
        ucp: speaks(call.capability, agreed),
        ...within(agreed, call.capability, await call.answer(shop, asked)),
      }
    } catch (thrown) {
      if (!(thrown instanceof Nothing)) throw thrown
      return { ucp: speaks(call.capability, agreed, 'error'), messages: thrown.messages, continue_url: shopUrl }
    }
  }

  // Answers are about carts and orders that their ids open.
  const unkept = {
    onSend: async (_request: unknown, reply: { header(name: string, value: string): unknown }) =>
      void reply.header('cache-control', 'no-store'),
  }
  for (const call of calls)
    app.route({
      method: call.method,
      url: `/api/ucp${call.path}`,
      ...unkept,
      handler: async (request, reply) => {
        if (call.needsKey && !oneOf(request, 'idempotency-key'))
          throw new Problem(400, 'BAD_USER_INPUT', 'Send an Idempotency-Key, new for what you want done.')
        const asked = {
          id: (request.params as { id?: string }).id ?? '',
          body: call.takes && read(call.takes.optional ? call.takes.shape.optional() : call.takes.shape, request.body),
          idempotencyKey: oneOf(request, 'idempotency-key') ?? null,
          profile: /(?:^|[,;]\s*)profile="([^"]{1,2000})"/.exec(oneOf(request, 'ucp-agent') ?? '')?.[1] ?? '',
        }
        const answered = await answer(request, call, asked)
        return reply.code(answered.ucp.status === 'success' ? (call.status ?? 200) : 200).send(answered)
      },
    })
  app.post('/api/ucp/mcp', unkept, async (request, reply) => {
    // Its SDK is loaded when the first agent speaks it.
    const { answerMcp } = await import('./mcp.ts')
    return answerMcp(request, reply, { answer: (call, asked) => answer(request, call, asked), shopUrl })
  })
  // There are no sessions, so that there is nothing to listen to or to end.
  app.route({
    method: ['GET', 'DELETE'],
    url: '/api/ucp/mcp',
    handler: (_request, reply) => {
      reply.header('allow', 'POST')
      throw new Problem(405, 'METHOD_NOT_ALLOWED', 'Use POST here.')
    },
  })
}

type ByAgent = Asked<unknown> & { profile: string }

const incompatible = ({ capability }: AnyCall) =>
  error('capabilities_incompatible', `The agent’s profile does not list ${capability}.`, 'unrecoverable')

const oneOf = ({ headers }: FastifyRequest, name: string) => [headers[name]].flat()[0]

async function visiting(context: Context, { pageSize = context.pageSize, orderToken }: As = {}): Promise<Context> {
  return {
    ...context,
    user: null,
    sessionHash: null,
    scopes: null,
    pageSize,
    orderToken: orderToken === undefined ? null : { orderId: await orderOpenedBy(context.em, orderToken) },
  }
}

/** What was asked for. An operation's failure is answered as over REST. */
function dataOf<Data>({ data, errors }: Awaited<ReturnType<typeof runOperation<Data, unknown>>>): Data {
  const [error] = errors ?? []
  if (!error) return present(data)
  if (error.extensions['code'] === undefined && !error.path) throw new Problem(400, 'BAD_USER_INPUT', error.message)
  throw error.originalError ?? error
}
