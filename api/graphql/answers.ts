import { parse, type DefinitionNode } from 'graphql'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const MOST_ANSWERS = 500
const LONGEST_QUESTION = 10_000
const MOST_DOCUMENTS = 1_000

interface Asked {
  query?: unknown
  variables?: unknown
  operationName?: unknown
}

/** Answers to visitors' queries. All of them go when anything may have changed. */
export class Answers {
  readonly #keepMs: number
  #known = new Map<string, { payload: string; until: number }>()

  constructor(keepMs: number) {
    this.#keepMs = keepMs
  }

  get(question: string): string | undefined {
    const answer = this.#known.get(question)
    return answer && answer.until > performance.now() ? answer.payload : undefined
  }

  /** Where the answer to a question asked now may be put: nowhere any more once something has changed. */
  place(question: string): (payload: string) => void {
    const known = this.#known
    return payload => {
      if (this.#keepMs === 0) return
      if (known.size >= MOST_ANSWERS) known.delete(known.keys().next().value!)
      known.set(question, { payload, until: performance.now() + this.#keepMs })
    }
  }

  forget(): void {
    this.#known = new Map()
  }
}

/** Visitors see what everyone may see, so one answer serves all of them who ask the same within a moment. */
export function shareAnswers(door: FastifyInstance, answers: Answers): void {
  const places = new WeakMap<FastifyRequest, (payload: string) => void>()
  door.addHook('preHandler', async (request, reply) => {
    const question = questionOf(request)
    if (question === null) return
    const payload = answers.get(question)
    if (payload !== undefined) return reply.type('application/json; charset=utf-8').send(payload)
    places.set(request, answers.place(question))
  })
  door.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode === 200 && typeof payload === 'string') places.get(request)?.(payload)
  })
}

/** Whether a request may have changed what pages and answers show. */
export function mayChange({ method, url, body }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  const { query } = (body ?? {}) as Asked
  return !(url === '/graphql' && typeof query === 'string' && query.length <= LONGEST_QUESTION && onlyReads(query))
}

/** What a visitor's POST asks, as one text; null when its answer is not for everyone. */
function questionOf(request: FastifyRequest): string | null {
  const { method, headers, body } = request
  if (method !== 'POST' || headers.authorization || headers.accept?.includes('graphql-response') || mayChange(request)) return null
  const { query, variables, operationName } = body as Asked
  const question = JSON.stringify([query, variables, operationName])
  return question.length <= LONGEST_QUESTION ? question : null
}

const documents = new Map<string, boolean>()

/** Whether a GraphQL document only reads. Documents repeat, so what is known of them is kept. */
function onlyReads(document: string): boolean {
  const known = documents.get(document)
  if (known !== undefined) return known
  if (documents.size >= MOST_DOCUMENTS) documents.delete(documents.keys().next().value!)
  const reads = isQuery(document)
  documents.set(document, reads)
  return reads
}

function isQuery(document: string): boolean {
  const isRead = (node: DefinitionNode) => node.kind === 'FragmentDefinition' || (node.kind === 'OperationDefinition' && node.operation === 'query')
  try {
    return parse(document, { noLocation: true, maxTokens: 2_000 }).definitions.every(isRead)
  } catch {
    // Not GraphQL; the server says so.
    return false
  }
}
