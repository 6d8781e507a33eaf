import { randomBytes } from 'node:crypto'
import multipart from '@fastify/multipart'
import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import type { ExecutionResult, GraphQLSchema } from 'graphql'
import { Upload } from 'graphql-upload-minimal'
import { limits } from '#schema/rules/limits'
import { present } from '#schema/rules/present'
import type { Context } from '../context.ts'
import type { UserError } from '../generated/types.ts'
import { unauthenticated } from '../kernel/errors.ts'
import { shareAnswers, type Answer } from '../graphql/response-cache.ts'
import { runOperation } from '../graphql/run-operation.ts'
import { drain } from '../http/multipart.ts'
import { Problem, SEND_JSON, sendThrown } from '../http/problem.ts'
import type { SharedCache } from '../http/shared-cache.ts'
import { demand, demandPermissions, scopesOf } from '../partner/scopes.ts'
import type { AnyCall, Asked } from './call.ts'
import { calls, productStats, uploads } from './calls.ts'
import { docsPage, type OpenApi } from './docs-page.ts'
import { aboutTheApi, schemaOf } from './openapi.ts'
import { EVERYTHING } from './narrowing.ts'
import { postmanCollection } from './postman.ts'
import { STATUS_OF_ERROR_CODE, STATUS_OF_USER_ERROR } from './statuses.ts'

export interface RestOptions {
  schema: GraphQLSchema
  contextOf: (request: FastifyRequest) => Promise<Context>
  /** Answers to visitors, which GraphQL keeps as well. */
  answers: SharedCache<Answer>
  /** How long a query may run, in milliseconds. */
  longestMs: number
  /** Public origin, for the API document. */
  shopUrl: string
}

/** What lists cost that are answered whole: their length is not known before. */
const EVERYTHING_COSTS_LIKE = 100
const MAX_UPLOAD = limits.pictureBytes + 1

/** The spec's REST calls: each runs its GraphQL operation in process, so rights and rules exist once. */
export async function rest(
  app: FastifyInstance,
  { schema, contextOf, answers, longestMs, shopUrl }: RestOptions,
): Promise<void> {
  await app.register(multipart, { limits: { files: 1, fields: 0, parts: 1, fileSize: MAX_UPLOAD } })
  app.setErrorHandler(sendThrown('json'))
  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSchemaErrorFormatter(wrongInput)
  // What the answers are like is checked by tsc and tests: a paid order is not to fail for a field that is new.
  app.setSerializerCompiler(() => answer => JSON.stringify(answer))
  await app.register(swagger, aboutTheApi(shopUrl, schema))
  shareAnswers(app, answers, contextOf, visitorsQuestion)

  async function run(call: AnyCall, request: FastifyRequest, reply: FastifyReply, file?: Upload) {
    const asked = askedBy(request, file)
    const context = await contextOf(request)
    const result = await runOperation(
      { schema, longestMs },
      {
        document: call.operation,
        variables: call.input(asked),
        context: call.unpaged ? { ...context, pageSize: pageSizeOf(asked) } : context,
        costsLikePages: call.unpaged ? EVERYTHING_COSTS_LIKE : context.pageSize,
      },
    )
    const data = dataOf(result)
    const answer = call.output(data, asked)
    if (answer == null) throw new Problem(404, 'NOT_FOUND', 'Not found.')
    const { page, pages } = call.unpaged?.(data) ?? { page: 1, pages: 1 }
    if (page < pages) reply.header('link', `<${shopUrl}${nextPage(request.url, page)}>; rel="next"`)
    return reply.code(call.status ?? 200).send(answer)
  }

  /** Access is checked before the body is read, so that only those who may call learn what is wrong with it. */
  const guard = (callOf: (request: FastifyRequest) => AnyCall) => async (request: FastifyRequest) => {
    const { access, operation } = callOf(request)
    // Nobody has to be known for what visitors may ask, least of all for an answer that is kept.
    if (access === 'anyone' && !request.headers.authorization) return
    const { user, scopes, orderToken } = await contextOf(request)
    const isGuest = access === 'signed in or guest' || (access.startsWith('owner') && orderToken !== null)
    if (access !== 'anyone' && !isGuest && !user) throw unauthenticated()
    demand(scopes, scopesOf(operation))
    if (access === 'admin') demandPermissions(user, scopesOf(operation))
  }

  for (const call of calls) {
    const callOf = (request: FastifyRequest) =>
      call.path === '/api/products' && isPreview(request) ? productStats : call
    app.route({
      method: call.method,
      url: call.path,
      schema: schemaOf(call, schema),
      onRequest: guard(callOf),
      ...(call.body && { preValidation: noForm }),
      handler: (request, reply) => run(callOf(request), request, reply),
    })
  }
  for (const call of uploads)
    app.post(
      call.path,
      { ...unread, schema: schemaOf(call, schema), onRequest: guard(() => call), onSend: drain },
      async (request, reply) => run(call, request, reply, await pictureOf(request)),
    )

  otherMethods(app)
  reference(app)
  app.all('/api/*', { schema: { hide: true } }, () => {
    throw new Problem(404, 'NOT_FOUND', 'There is no such address.')
  })
}

const VISITORS_READ = new Set(
  calls.filter(({ method, access }) => method === 'GET' && access === 'anyone').map(({ path }) => path),
)

function visitorsQuestion({ method, url, headers, routeOptions }: FastifyRequest): string | null {
  const isRead = method === 'GET' && VISITORS_READ.has(routeOptions.url ?? '')
  return isRead ? JSON.stringify([headers.accept, url]) : null
}

/** Multipart forms are accepted for pictures alone. */
async function noForm(request: FastifyRequest): Promise<void> {
  if (request.isMultipart()) throw new Problem(415, 'UNSUPPORTED_MEDIA_TYPE', SEND_JSON)
}

async function pictureOf(request: FastifyRequest): Promise<Upload> {
  if (!request.isMultipart())
    throw new Problem(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the picture as multipart/form-data, field `image`.')
  const part = await request.file().catch((error: Error & { statusCode?: number }) => {
    // The parser's own complaints, of a form without a boundary for example, carry no status.
    throw error.statusCode ? error : new Problem(400, 'BAD_REQUEST', `This form cannot be read: ${error.message}.`)
  })
  if (!part || part.fieldname !== 'image')
    throw new Problem(400, 'BAD_USER_INPUT', 'Send one file in the field `image`.')
  return Object.assign(new Upload(), {
    promise: Promise.resolve({
      filename: part.filename,
      mimetype: part.mimetype,
      encoding: part.encoding,
      fieldName: part.fieldname,
      createReadStream: () => part.file,
    }),
  })
}

/** Answers another method with those that the address has. */
function otherMethods(app: FastifyInstance): void {
  const methodsOf = Map.groupBy([...calls, ...uploads], ({ path }) => path)
  for (const [url, known] of methodsOf) {
    const allowed = known.map(({ method }) => method)
    const others = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter(
      method => !allowed.includes(method as AnyCall['method']),
    )
    app.route({
      method: others,
      url,
      schema: { hide: true },
      handler: (_request, reply) => {
        reply.header('allow', allowed.join(', '))
        throw new Problem(405, 'METHOD_NOT_ALLOWED', `Use ${allowed.join(' or ')} here.`)
      },
    })
  }
}

/** The calls as OpenAPI, as a Postman collection, and as a page. */
function reference(app: FastifyInstance): void {
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  app.get('/api/postman.json', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('content-disposition', 'attachment; filename="skein.postman_collection.json"')
      .send(postmanCollection(app.swagger() as unknown as OpenApi)),
  )
  app.get('/api/docs', { schema: { hide: true } }, async (_request, reply) => {
    const nonce = randomBytes(16).toString('base64')
    reply.header(
      'content-security-policy',
      `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    return reply.type('text/html; charset=utf-8').send(docsPage(app.swagger() as unknown as OpenApi, nonce))
  })
}

const isPreview = ({ query }: FastifyRequest) => (query as Record<string, unknown>)['preview'] === 'true'

function askedBy({ params, query, headers, body }: FastifyRequest, file: Upload | undefined): Asked {
  return {
    params: params as Record<string, string>,
    query,
    body,
    file,
    token: headers.authorization?.replace(/^Bearer +/i, '') ?? null,
    idempotencyKey: [headers['idempotency-key']].flat()[0] ?? null,
  }
}

const pageSizeOf = ({ query }: Asked) => (query as { pageSize?: number } | undefined)?.pageSize ?? EVERYTHING

function nextPage(url: string, page: number): string {
  const [path, query] = url.split('?')
  const parameters = new URLSearchParams(query)
  parameters.set('pageNumber', String(page + 1))
  return `${path}?${parameters}`
}

/** Fastify validates bodies before the route runs; a form is read by the route itself. */
const unread = { validatorCompiler: () => (value: unknown) => ({ value }) }

function wrongInput([issue]: FastifySchemaValidationError[]): Problem {
  const { instancePath, message = '' } = present(issue)
  const path = instancePath.slice(1).replaceAll('/', '.')
  const sentence = /[.!?]$/.test(message)
    ? message
    : `${path || 'The body'} ${message.replace(/^Invalid input:? ?/, 'is wrong: ')}.`
  return new Problem(400, 'BAD_USER_INPUT', sentence)
}

const WRONG_VALUE = /^Variable "\$(\w+)" got invalid value .*?(?: at "\w+\.([\w.[\]]+)")?; (.+)$/s

/** A REST client sent a body and a query string, and knows of no variables. */
function withoutVariables(message: string): string {
  const [, variable, field, reason] = WRONG_VALUE.exec(message) ?? []
  return reason === undefined ? message : `${field ?? variable} is wrong: ${reason}`
}

/** The data of an operation that went well; anything else as an error with its status. */
function dataOf(result: ExecutionResult): Record<string, unknown> {
  const ended = result.errors?.find(({ extensions }) => extensions['code'] === 'TIMEOUT')
  const [error] = ended ? [ended] : (result.errors ?? [])
  if (error) {
    const { code, retryAfter } = error.extensions as { code?: string; retryAfter?: number }
    if (code === undefined && !error.path) throw new Problem(400, 'BAD_USER_INPUT', withoutVariables(error.message))
    const status = STATUS_OF_ERROR_CODE[code ?? '']
    if (code === undefined || status === undefined) throw error.originalError ?? error
    throw new Problem(status, code, error.message, { retryAfter })
  }
  const data = result.data ?? {}
  for (const payload of Object.values(data) as ({ userErrors?: UserError[] } | null)[]) {
    const [refusal] = payload?.userErrors ?? []
    if (refusal) throw new Problem(STATUS_OF_USER_ERROR[refusal.code], refusal.code, refusal.message)
  }
  return data
}
