import { parse, type GraphQLSchema, type OperationDefinitionNode, type OperationTypeNode } from 'graphql'
import { z } from 'zod'
import { limits, megabytes } from '#schema/rules/limits'
import { ANSWERS } from './responses.ts'
import { calls, uploads, type Call } from './calls.ts'
import { FILTERS, SORT } from './narrowing.ts'
import { IDS } from './examples.ts'
import { STATUS_OF_USER_ERROR } from './statuses.ts'

export interface OpenApi {
  openapi: string
  info: Record<string, string>
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

export interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Record<string, { schema: unknown; example?: unknown }> }
  responses: Record<string, { description: string; content: Record<string, { schema: unknown }> }>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: unknown
  example?: unknown
}

const MEANING: Record<number, string> = {
  400: 'The input is wrong',
  401: 'Nobody is signed in, or the token, key or credentials are not good (any more)',
  402: 'The payment was not accepted',
  403: 'Only an administrator may do that',
  404: 'There is no such thing for whoever asks',
  409: 'It contradicts what is there',
  413: 'The file is too large',
  422: 'The idempotency key was used with other contents',
  503: 'PayPal could not be reached',
}

const QUERY: Record<NonNullable<Call['query']>[number], Omit<Parameter, 'name' | 'in' | 'required'>> = {
  keyword: { description: 'Words to look for, as knitters say them', schema: { type: 'string' }, example: 'merino' },
  pageNumber: {
    description: 'From 1; a number out of range is moved to the nearest page',
    schema: { type: 'integer', default: 1 },
    example: 1,
  },
  sort: SORT,
  ...(Object.fromEntries(
    Object.entries(FILTERS).map(([name, { description, schema, example }]) => [name, { description, schema, example }]),
  ) as Record<keyof typeof FILTERS, typeof SORT>),
  preview: {
    description: '`true` answers counts over the catalogue instead; administrators only',
    schema: { type: 'boolean' },
  },
}

/** What makes something new and is safe to repeat with a key. */
const KEYED: Record<string, string> = {
  '/api/orders': 'New for every cart; the same key again answers the order already placed',
  '/api/orders/:id/fulfilments': 'New for every parcel; the same key again answers the parcel already made',
}

/** The REST calls as an OpenAPI 3.1 document, made from the same table that serves them. */
export function openApi(schema: GraphQLSchema, shopUrl: string): OpenApi {
  const paths: OpenApi['paths'] = {}
  for (const call of [...calls, ...uploads]) {
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(call, schema) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Skein',
      version: '1.0.0',
      description:
        'The calls of the shop over REST. Money is in dollars. A number of a body may be sent as text, too. GraphQL, at /graphql, can do all this and more.',
    },
    servers: [{ url: shopUrl }],
    tags: [...new Set([...calls, ...uploads].map(tagOf))].map(name => ({ name })),
    paths,
    components: {
      schemas: answerSchemas(),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token that login and register answer.' },
        orderToken: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Order-Token',
          description: 'The token that placing a guest’s order answers; it opens that order alone.',
        },
      },
    },
  }
}

const tagOf = ({ path }: Call) => path.split('/')[2]!

function operationOf(call: Call, schema: GraphQLSchema): Operation {
  const errors = [...statusesOf(call, schema)].toSorted((a, b) => a - b)
  return {
    operationId: rootFieldOf(call).name,
    summary: call.summary,
    description: `For ${call.access === 'admin' ? 'administrators' : call.access === 'anyone' ? 'anyone' : `whoever is ${call.access.startsWith('signed in') ? call.access : `the ${call.access}`}`}.`,
    tags: [tagOf(call)],
    security: securityOf(call),
    parameters: parametersOf(call),
    ...bodyOf(call),
    responses: {
      [call.status ?? 200]: { description: 'Done', content: json(schemaOf(call.answer)) },
      ...Object.fromEntries(
        errors.map(status => [status, { description: MEANING[status]!, content: json(schemaOf(ANSWERS.Failure)) }]),
      ),
      default: {
        description: 'Anything else, for example 429 after too many tries',
        content: json(schemaOf(ANSWERS.Failure)),
      },
    },
  }
}

function securityOf({ access }: Call): Operation['security'] {
  if (access === 'anyone') return []
  if (access === 'signed in or guest') return [{ bearer: [] }, {}]
  return access.startsWith('owner') ? [{ bearer: [] }, { orderToken: [] }] : [{ bearer: [] }]
}

function parametersOf({ method, path, query = [] }: Call): Parameter[] {
  const kind = path.split('/')[2]!.slice(0, -1) as keyof typeof IDS
  return [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]): Parameter => ({
      name: name!,
      in: 'path',
      required: true,
      description: name === 'id' ? `Of the ${kind}` : 'Of the payment at PayPal',
      schema: { type: 'string' },
      example: name === 'id' ? IDS[kind] : IDS.paypal,
    })),
    ...query.map((name): Parameter => ({ name, in: 'query', required: false, ...QUERY[name] })),
    ...(method === 'POST' && KEYED[path]
      ? [
          {
            name: 'Idempotency-Key',
            in: 'header',
            required: false,
            description: KEYED[path],
            schema: { type: 'string', maxLength: 255 },
          } satisfies Parameter,
        ]
      : []),
  ]
}

function bodyOf(call: Call): Pick<Operation, 'requestBody'> {
  if (uploads.includes(call)) {
    const picture = {
      type: 'string',
      contentMediaType: 'application/octet-stream',
      description: `JPG or PNG, at most ${megabytes(limits.pictureBytes)}`,
    }
    return {
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': { schema: { type: 'object', required: ['image'], properties: { image: picture } } },
        },
      },
    }
  }
  if (!call.body) return {}
  const { $schema: _, ...schema } = z.toJSONSchema(call.body, { io: 'input' })
  return { requestBody: { required: true, content: { 'application/json': { schema, example: call.example } } } }
}

/** What a call can answer besides success: by who may make it, and by the errors its GraphQL operation documents. */
function statusesOf(call: Call, schema: GraphQLSchema): Set<number> {
  const { root, name } = rootFieldOf(call)
  const { description } = schema.getRootType(root)!.getFields()[name]!
  const documented = /Errors[^:]*:([\s\S]*)$/.exec(description ?? '')?.[1]?.match(/\b[A-Z_]{4,}\b/g) ?? []
  return new Set([
    401,
    ...(call.access === 'admin' ? [403] : []),
    ...(call.body ? [400] : []),
    ...(call.path.includes(':id') ? [404] : []),
    ...documented.map(code => STATUS_OF_USER_ERROR[code as keyof typeof STATUS_OF_USER_ERROR]).filter(Boolean),
  ])
}

function rootFieldOf({ operation }: Call): { root: OperationTypeNode; name: string } {
  const definition = parse(operation).definitions[0] as OperationDefinitionNode
  const [field] = definition.selectionSet.selections
  return { root: definition.operation, name: field?.kind === 'Field' ? field.name.value : '' }
}

const json = (schema: unknown) => ({ 'application/json': { schema } })

const nameOf = new Map<z.ZodType, string>(Object.entries(ANSWERS).map(([name, answer]) => [answer, name]))
const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

function schemaOf(answer: z.ZodType): unknown {
  const name = nameOf.get(answer)
  if (name) return refTo(name)
  if (answer instanceof z.ZodArray) return { type: 'array', items: schemaOf(answer.element as z.ZodType) }
  if (answer instanceof z.ZodUnion) return { oneOf: answer.options.map(option => schemaOf(option as z.ZodType)) }
  throw new Error('Every answer of the REST calls has a name in answers.ts.')
}

function answerSchemas(): Record<string, unknown> {
  const registry = z.registry<{ id: string }>()
  for (const [answer, id] of nameOf) registry.add(answer, { id })
  const { schemas } = z.toJSONSchema(registry, { uri: id => refTo(id).$ref })
  return Object.fromEntries(Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]))
}
