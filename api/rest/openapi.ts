import type { FastifySchema } from 'fastify'
import { getOperationAST, Kind, type GraphQLEnumType, type GraphQLSchema, type OperationTypeNode } from 'graphql'
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { SwaggerOptions } from '@fastify/swagger'
import { z } from 'zod'
import { limits, megabytes } from '#schema/rules/limits'
import { nth, present } from '#schema/rules/present'
import { eventTypes, payloadOf } from '../webhook/payloads.ts'
import { wireType } from '../webhook/start-deliveries.ts'
import type { AnyCall } from './call.ts'
import { calls, uploads } from './calls.ts'
import { IDS } from './examples.ts'
import { LONG_LIST } from './narrowing.ts'
import { ANSWERS } from './responses.ts'
import { STATUS_OF_USER_ERROR } from './statuses.ts'

const MEANING: Record<number, string> = {
  400: 'The input is wrong',
  401: 'Nobody is signed in, or the token, key or credentials are not good (any more)',
  402: 'The payment was not accepted',
  403: 'Only an administrator may do that, or the key lacks a scope',
  404: 'There is no such thing for whoever asks',
  409: 'It contradicts what is there',
  413: 'The body is larger than is allowed',
  415: 'The body is of another type; the message says which is taken',
  422: 'The idempotency key was used with other contents',
  429: 'Too many requests, or tries',
  503: 'PayPal, or the database, cannot be reached at the moment',
  504: 'It took longer than is allowed',
}

/** What else an answer of some status brings. */
const HEADERS: Record<number, Record<string, string>> = {
  401: { 'WWW-Authenticate': '`Bearer`, with `error="invalid_token"` when a token or key was sent' },
  429: { 'Retry-After': 'Seconds until the same may be asked again' },
}

/** The API document beside what the routes say of themselves. */
export const aboutTheApi = (shopUrl: string, schema: GraphQLSchema): SwaggerOptions => ({
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Skein',
      version: '1.0.0',
      description:
        'The calls of the shop over REST. Money is in dollars. A number of a body may be sent as text, too. GraphQL, at /graphql, can do all this and more.',
    },
    servers: [{ url: shopUrl }],
    tags: [...new Set([...calls, ...uploads].map(tagOf))].map(name => ({ name })),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token that login and register answer, or an API key of the shop.',
        },
        orderToken: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Order-Token',
          description: 'The token that placing a guest’s order answers; it opens that order alone.',
        },
      },
    },
  },
  transform: createJsonSchemaTransform({ zodToJsonConfig: { override: keepExamples } }),
  transformObject: document => {
    const whole = jsonSchemaTransformObject(document) as { components: { schemas: object } }
    // The package lists every named shape as what may be sent, too; ours are answers alone.
    const named = Object.entries(whole.components.schemas).filter(([name]) => name in ANSWERS)
    return {
      ...whole,
      webhooks: eventsOf(schema),
      components: { ...whole.components, schemas: Object.fromEntries(named) },
    }
  },
})

/** The shop sends it: what it is helps, not how it could be checked. */
function keepTypes({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) {
  if (jsonSchema.format) delete jsonSchema.pattern
  delete jsonSchema.minimum
  delete jsonSchema.maximum
}

/** The requests that partners get, by the type that is in them. */
const eventsOf = (schema: GraphQLSchema) =>
  Object.fromEntries(
    eventTypes.map(type => {
      const { $schema: _, ...body } = z.toJSONSchema(payloadOf(type), { io: 'input', override: keepTypes })
      const { description } = present((schema.getType('EventType') as GraphQLEnumType).getValue(type))
      const post = {
        operationId: type,
        summary: wireType(type),
        description,
        requestBody: { required: true, content: { 'application/json': { schema: body } } },
        responses: { '2XX': { description: 'It was taken' } },
      }
      return [wireType(type), { post }]
    }),
  )

/** zod leaves both out where it transforms, for they might be meant for either side. */
function keepExamples({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodType
  jsonSchema: z.core.JSONSchema.BaseSchema
}) {
  const { examples, default: left, type } = z.globalRegistry.get(zodSchema) ?? {}
  // What may be text as well is recognised by its type.
  if (type !== undefined) delete jsonSchema.anyOf
  Object.assign(jsonSchema, examples && { examples }, left !== undefined && { default: left })
}

const tagOf = ({ path }: AnyCall) => nth(path.split('/'), 2)

/** What a route takes and answers, for its checks and for the document. */
export function schemaOf(call: AnyCall, schema: GraphQLSchema): FastifySchema {
  const { access, path, body, query, example, keyed } = call
  const says = (description: string, answer: z.ZodType, headers: Record<string, string> = {}) => ({
    description,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, meaning]) => [name, { description: meaning, type: 'string' }]),
    ),
    content: { 'application/json': { schema: answer } },
  })
  return {
    operationId: rootFieldOf(call).name,
    summary: call.summary,
    description: `For ${access === 'admin' ? 'administrators' : access === 'anyone' ? 'anyone' : `whoever is ${access.startsWith('signed in') ? access : `the ${access}`}`}.`,
    tags: [tagOf(call)],
    security: securityOf(call),
    ...(path.includes(':') && { params: paramsOf(call) }),
    ...(query && { querystring: query }),
    ...(keyed && { headers: z.looseObject({ 'Idempotency-Key': idempotencyKey.meta({ description: keyed }) }) }),
    ...(body && { body: body.meta({ examples: [example] }) }),
    ...(uploads.includes(call) && { consumes: ['multipart/form-data'], body: form }),
    response: {
      [call.status ?? 200]: says(
        'Done',
        call.answer,
        query === LONG_LIST ? { Link: 'The next page, when there is one' } : {},
      ),
      ...Object.fromEntries(
        [...statusesOf(call, schema)].map(status => [
          status,
          says(present(MEANING[status]), ANSWERS.Failure, HEADERS[status]),
        ]),
      ),
      default: says('Anything else', ANSWERS.Failure),
    },
  }
}

/** Told, but not checked here: the operation does that. */
const idempotencyKey = z.string().max(limits.idempotencyKey).optional()

const form = z.object({
  image: z.unknown().meta({
    type: 'string',
    contentMediaType: 'application/octet-stream',
    description: `JPG or PNG, at most ${megabytes(limits.pictureBytes)}`,
  }),
})

function securityOf({ access }: AnyCall): Record<string, string[]>[] {
  if (access === 'anyone') return []
  if (access === 'signed in or guest') return [{ bearer: [] }, {}]
  return access.startsWith('owner') ? [{ bearer: [] }, { orderToken: [] }] : [{ bearer: [] }]
}

function paramsOf({ path }: AnyCall) {
  const kind = tagOf({ path } as AnyCall).slice(0, -1) as keyof typeof IDS
  const of = (name: string) =>
    name === 'id'
      ? { description: `Of the ${kind}`, examples: [IDS[kind]] }
      : { description: 'Of the payment at PayPal', examples: [IDS.paypal] }
  return z.object(
    Object.fromEntries(
      [...path.matchAll(/:(\w+)/g)].map(([, name]) => [present(name), z.string().meta(of(present(name)))]),
    ),
  )
}

/** What a call can answer besides success: by who may make it, and by the errors its GraphQL operation documents. */
function statusesOf(call: AnyCall, schema: GraphQLSchema): Set<number> {
  const { root, name } = rootFieldOf(call)
  const { description } = present(present(schema.getRootType(root)).getFields()[name])
  const documented = /Errors[^:]*:([\s\S]*)$/.exec(description ?? '')?.[1]?.match(/\b[A-Z_]{4,}\b/g) ?? []
  return new Set([
    401,
    403,
    429,
    503,
    504,
    ...(call.body || uploads.includes(call) ? [400, 413, 415] : []),
    ...(call.query ? [400] : []),
    ...(call.path.includes(':id') ? [404] : []),
    ...documented.map(code => STATUS_OF_USER_ERROR[code as keyof typeof STATUS_OF_USER_ERROR]).filter(Boolean),
  ])
}

function rootFieldOf({ operation }: AnyCall): { root: OperationTypeNode; name: string } {
  const definition = present(getOperationAST(operation))
  const [field] = definition.selectionSet.selections
  return { root: definition.operation, name: field?.kind === Kind.FIELD ? field.name.value : '' }
}
