import { parse, type DefinitionNode } from 'graphql'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { ORDER_TOKEN } from '../http/order-token.ts'
import type { Context } from '../context.ts'
import { bytesOf, SharedCache, Sources } from '../http/shared-cache.ts'
import { COST_HEADER } from './limit-cost.ts'

const LONGEST_QUESTION = 10_000

/** An answer as it went out. */
export interface Answer {
  type: string
  payload: string
}

/** Pages of products take up to 100 kB; larger answers, such as the whole schema, are rarely asked for twice. */
export const sharedAnswers = (keepMs: number) =>
  new SharedCache<Answer>({
    keepMs,
    bytes: 32 * 2 ** 20,
    largest: 2 ** 19,
    sizeOf: ({ type, payload }) => bytesOf(type) + bytesOf(payload),
  })

/** Visitors see what everyone may see, so one answer serves all of them who ask the same within a moment. */
export function shareAnswers(
  app: FastifyInstance,
  answers: SharedCache<Answer>,
  contextOf: (request: FastifyRequest) => Promise<Context>,
): void {
  const reserved = new WeakMap<FastifyRequest, (answer: Answer) => void>()
  app.addHook('preHandler', async (request, reply) => {
    const question = questionOf(request)
    if (question === null) return
    const known = answers.get(question)
    if (known) return reply.type(known.type).header('cache-control', 'no-store').send(known.payload)
    const put = answers.reserve(question)
    const sources = new Sources()
    const context = await contextOf(request)
    context.sources = sources
    reserved.set(request, answer => put(answer, sources))
  })
  app.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode === 200 && typeof payload === 'string')
      reserved.get(request)?.({ type: String(reply.getHeader('content-type')), payload })
  })
}

/** What a visitor's POST asks, and how it wants to be answered, as one text; null when its answer is not for everyone. */
function questionOf({ method, url, headers, body }: FastifyRequest): string | null {
  if (method !== 'POST' || url !== '/graphql' || headers.authorization) return null
  if (ORDER_TOKEN in headers || COST_HEADER in headers) return null
  const { query, variables, operationName, extensions } = (body ?? {}) as Record<string, unknown>
  if (typeof query !== 'string' || query.length > LONGEST_QUESTION) return null
  const question = JSON.stringify([headers.accept, query, variables, operationName, extensions])
  return question.length <= LONGEST_QUESTION && onlyReads(query) ? question : null
}

const documents = new LRUCache<string, boolean>({
  max: 1_000,
  maxSize: 2 ** 21,
  sizeCalculation: (_reads, document) => bytesOf(document) + 1,
})

/** Whether a GraphQL document only reads. Documents repeat, so what is known of them is kept. */
function onlyReads(document: string): boolean {
  const known = documents.get(document)
  if (known !== undefined) return known
  const reads = isQuery(document)
  documents.set(document, reads)
  return reads
}

function isQuery(document: string): boolean {
  const isRead = (node: DefinitionNode) =>
    node.kind === 'FragmentDefinition' || (node.kind === 'OperationDefinition' && node.operation === 'query')
  try {
    return parse(document, { noLocation: true, maxTokens: 2_000 }).definitions.every(isRead)
  } catch {
    // Not GraphQL; the server says so.
    return false
  }
}
