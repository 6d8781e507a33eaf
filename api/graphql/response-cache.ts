import type { KeyValueCache } from '@apollo/utils.keyvaluecache'
import { parse, type DefinitionNode } from 'graphql'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { ORDER_TOKEN } from '../http/order-token.ts'
import type { Context } from '../context.ts'
import { Packed } from '../http/packed.ts'
import { bytesOf, SharedCache, Sources } from '../http/shared-cache.ts'
import { isKnown } from './caching.ts'
import { wantsExplorer } from './explorer/explorer.ts'
import { COST_HEADER } from './limit-cost.ts'

const LONGEST_QUESTION = 10_000

/** An answer as it went out, the same bytes for all who ask for it. */
export class Answer extends Packed {
  readonly headers: Headers

  constructor(headers: Headers, payload: string) {
    super(Buffer.from(payload))
    this.headers = headers
  }
}

/** What goes out again with the answer. */
const HEADERS = ['content-type', 'cache-control', 'etag', 'vary'] as const
type Headers = Partial<Record<(typeof HEADERS)[number], string>>

const headersOf = (reply: FastifyReply): Headers =>
  Object.fromEntries(HEADERS.filter(name => reply.hasHeader(name)).map(name => [name, String(reply.getHeader(name))]))

/** Pages of products take up to 100 kB; larger answers, such as the whole schema, are rarely asked for twice. */
export const sharedAnswers = (keepMs: number) =>
  new SharedCache<Answer>({
    keepMs,
    bytes: 32 * 2 ** 20,
    largest: 2 ** 19,
    sizeOf: ({ headers, size }) => bytesOf(JSON.stringify(headers)) + size,
  })

/** What a request asks, and how it wants to be answered, as one text; null when the answer is not to be kept. */
type QuestionOf = (request: FastifyRequest) => Promise<string | null> | string | null

/** Visitors see what everyone may see, so one answer serves all of them who ask the same within a moment. */
export function shareAnswers(
  app: FastifyInstance,
  answers: SharedCache<Answer>,
  contextOf: (request: FastifyRequest) => Promise<Context>,
  questionOf: QuestionOf,
): void {
  const reserved = new WeakMap<FastifyRequest, (answer: Answer) => void>()
  const asked = new AskedBefore()
  app.addHook('preHandler', async (request, reply) => {
    const question = isVisitors(request) ? await questionOf(request) : null
    if (question === null || question.length > LONGEST_QUESTION) return
    const known = answers.get(question)
    if (known) return sendKept(request, reply, known)
    // Most questions that nobody asked before are never asked again, and what is kept of them would drive out the rest.
    if (!asked.note(question)) return
    const put = answers.reserve(question)
    const sources = new Sources()
    const context = await contextOf(request)
    context.sources = sources
    reserved.set(request, answer => put(answer, sources))
  })
  app.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode === 200 && typeof payload === 'string')
      reserved.get(request)?.(new Answer(headersOf(reply), payload))
  })
}

/** So many questions are remembered at least, and twice as many at most: 4 bytes of each, and what a set takes for them. */
const REMEMBERED = 5_000

/** Which questions were asked of late. It may take one for another, which has an answer kept that nobody may want. */
class AskedBefore {
  #now = new Set<number>()
  #before = new Set<number>()

  /** Whether it was asked before. */
  note(question: string): boolean {
    const hash = hashOf(question)
    const isKnown = this.#now.has(hash) || this.#before.has(hash)
    this.#now.add(hash)
    if (this.#now.size >= REMEMBERED) [this.#before, this.#now] = [this.#now, new Set()]
    return isKnown
  }
}

/** FNV-1a: nothing is gained by finding two questions of one hash. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

async function sendKept(request: FastifyRequest, reply: FastifyReply, answer: Answer): Promise<FastifyReply> {
  const { etag, vary } = answer.headers
  reply.headers(answer.headers)
  if (etag !== undefined && isKnown(request, etag)) return reply.code(304).send('')
  const { encoding, body } = await answer.encodedFor(request.headers['accept-encoding'])
  return reply
    .headers({
      vary: [vary ?? [], 'accept-encoding'].flat().join(', '),
      ...(encoding && { 'content-encoding': encoding }),
    })
    .send(body)
}

const isVisitors = ({ headers }: FastifyRequest) =>
  !headers.authorization && !(ORDER_TOKEN in headers) && !(COST_HEADER in headers)

/** The question of a request to /graphql that only reads. */
export const questionAsked =
  (persisted: KeyValueCache): QuestionOf =>
  async request => {
    const { method, url, headers, body } = request
    // Nothing but queries is run for a GET. Some headers decide whether it is refused.
    if (method === 'GET' && !request.ws && !wantsExplorer(request))
      return JSON.stringify([headers.accept, headers['content-type'], ALLOWING.some(name => headers[name]), url])
    if (method !== 'POST' || url !== '/graphql') return null
    const { query: text, variables, operationName, extensions } = (body ?? {}) as Record<string, unknown>
    const query = text ?? (await persistedText(extensions, persisted))
    if (typeof query !== 'string' || query.length > LONGEST_QUESTION) return null
    const question = JSON.stringify([headers.accept, query, variables, operationName, extensions])
    return question.length <= LONGEST_QUESTION && onlyReads(query) ? question : null
  }

/** A GET that has one of them was not sent by a page of somebody else; see Apollo Server's `csrfPrevention`. */
const ALLOWING = ['x-apollo-operation-name', 'apollo-require-preflight']

/** Of a query that is asked by its hash alone. */
async function persistedText(extensions: unknown, persisted: KeyValueCache): Promise<string | undefined> {
  const hash = (extensions as Extensions)?.persistedQuery?.sha256Hash
  return typeof hash === 'string' ? persisted.get(APQ_CACHE_PREFIX + hash) : undefined
}

type Extensions = { persistedQuery?: { sha256Hash?: unknown } | null } | null | undefined

/** As Apollo Server names them. */
const APQ_CACHE_PREFIX = 'apq:'

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
