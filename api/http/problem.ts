import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { GraphQLError } from 'graphql'
import { APOLOGY, expected, type Expected } from '../kernel/errors.ts'

interface More {
  /** What a program may want to know, over GraphQL. */
  details?: Record<string, unknown>
  /** Seconds after which the same may be asked again. */
  retryAfter?: number | undefined
  headers?: Record<string, string>
}

/** Why a request gets no answer of the kind it asked for. Routes throw it, and `sendProblem` writes it. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly more: More

  constructor(status: number, code: string, message: string, more: More = {}) {
    super(message)
    this.status = status
    this.code = code
    this.more = more
  }
}

/** How a problem is written: GraphQL has its `errors`, every other program `{ message, code }`, and people a page. */
export type Form = 'graphql' | 'json' | 'page'

export const formAt = (url: string): Form =>
  /^\/graphql(?:[/?]|$)/.test(url) ? 'graphql' : /^\/api(?:[/?]|$)/.test(url) ? 'json' : 'page'

/** A problem as it goes over HTTP. */
export function writeProblem({ status, code, message, more }: Problem, form: Form) {
  const { details, retryAfter, headers } = more
  const extensions = { code, ...details, ...(retryAfter !== undefined && { retryAfter }) }
  const [type, body] =
    form === 'page'
      ? ['text/html', page(message, status === 500 ? sorry(details?.['requestId']) : '<a href="">Try again</a>')]
      : [
          'application/json',
          JSON.stringify(
            form === 'graphql'
              ? { errors: [{ message, extensions }] }
              : { message, code, requestId: details?.['requestId'] },
          ),
        ]
  return {
    status,
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-store',
      ...(form === 'page' && { 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" }),
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...headers,
    },
    body,
  }
}

const sorry = (requestId: unknown) =>
  `If it happens again, please tell us this number: <code>${String(requestId)}</code></p><p><a href="/">Back to the shop</a>`

const page = (message: string, link: string) =>
  `<!DOCTYPE html><html lang="en"><title>Sorry</title><h1>Sorry</h1><p>${message}</p><p>${link}</p></html>`

export function sendProblem(reply: FastifyReply, problem: Problem, form: Form = 'json'): FastifyReply {
  const { status, headers, body } = writeProblem(problem, form)
  return reply.code(status).headers(headers).send(body)
}

/** Answers whatever a route of this scope throws. */
export const sendThrown = (form: Form) => (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
  sendProblem(reply, problemOf(error, request), form)

/** One of the shop's refusals, which are made as GraphQL's, at any endpoint. */
export function problemFrom({ message, extensions: { code, reason, http, retryAfter } }: Expected): Problem {
  return new Problem(http.status, code, message, {
    ...(reason !== undefined && { details: { reason } }),
    retryAfter,
    headers: Object.fromEntries(http.headers ?? []),
  })
}

export const SEND_JSON = 'Send the body as JSON, with the header `Content-Type: application/json`.'

/** What a client is answered about a request that could not be read, was refused, or that the shop failed at. */
export function problemOf(error: FastifyError | GraphQLError | Problem, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  const refused = expected(error)
  if (refused) {
    // The shop's own refusals are made as GraphQL's; this is the database's, met before there was an operation.
    if (refused.extensions.code === 'UNAVAILABLE' && !(error instanceof GraphQLError))
      request.log.warn(error, 'The database cannot be used at the moment')
    return problemFrom(refused)
  }
  const { statusCode: status = 500, message } = error as FastifyError
  if ((error as FastifyError).code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new Problem(415, 'UNSUPPORTED_MEDIA_TYPE', SEND_JSON)
  if (status === 413 && (error as FastifyError).code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(request)
  if (status < 500) return new Problem(status, 'BAD_REQUEST', message)
  request.log.error(error)
  return apology(request.id)
}

/** For unexpected errors. It names the request, so that its line in the log is found. */
export const apology = (requestId: string) =>
  new Problem(500, 'INTERNAL_SERVER_ERROR', APOLOGY, { details: { requestId } })

function tooLarge({ headers, routeOptions: { bodyLimit } }: FastifyRequest): Problem {
  const [found, allowed] = [Number(headers['content-length']), bodyLimit.toLocaleString('en-US')]
  // The rest of a chunked or compressed body was not read.
  const size =
    found > bodyLimit
      ? `has ${found.toLocaleString('en-US')} bytes, but ${allowed} are allowed`
      : `is larger than the ${allowed} bytes allowed`
  return new Problem(413, 'PAYLOAD_TOO_LARGE', `The request ${size}.`, {
    details: { limit: 'body', allowed: bodyLimit, ...(found > bodyLimit && { found }) },
  })
}
