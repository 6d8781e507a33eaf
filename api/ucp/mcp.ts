import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Problem, problemOf } from '../http/problem.ts'
import type { AnyCall, Asked } from './call.ts'
import { calls } from './calls.ts'
import { VERSION } from './profile.ts'
import { read } from './read.ts'

/** Of the protocol: something is wrong with the agent's profile, or with the sender. */
const CODE_OF = Object.fromEntries(
  ['invalid_profile_url', 'profile_unreachable', 'profile_malformed', 'version_unsupported'].map(code => [
    code,
    -32_001,
  ]),
)
const REFUSED = -32_000

const meta = (needsKey: boolean) =>
  z.looseObject({
    'ucp-agent': z.looseObject({ profile: z.string().max(2_000).describe('Address of the agent’s profile') }),
    'idempotency-key': needsKey ? z.uuid() : z.uuid().optional(),
  })

/** What a tool is called with, as the protocol wraps it. */
const shapeOf = ({ path, takes, needsKey }: AnyCall) =>
  z.looseObject({
    meta: meta(needsKey === true),
    ...(path.includes(':id') && { id: z.string().min(1).max(200) }),
    ...(takes && { [takes.name]: takes.optional ? takes.shape.optional() : takes.shape }),
  })

const tools = calls.map(call => ({
  name: call.tool,
  description: call.description,
  inputSchema: z.toJSONSchema(shapeOf(call), { io: 'input' }) as { type: 'object' },
  annotations: { readOnlyHint: call.method === 'GET' || call.path.startsWith('/catalog/'), openWorldHint: false },
}))
const shapes = new Map(calls.map(call => [call.tool, { call, shape: shapeOf(call) }]))

type Answer = (call: AnyCall, asked: Asked<unknown> & { profile: string }) => Promise<object>

/** Made once: a server without a state is made for every request, and its own would be compiled each time. */
const jsonSchemaValidator = new AjvJsonSchemaValidator()

/**
 * Answers one message of the Model Context Protocol: without a session, and as JSON, so that any process can answer and
 * nobody keeps a connection. A client that accepts JSON alone gets it, too, which the SDK would refuse.
 */
export async function answerMcp(
  request: FastifyRequest,
  reply: FastifyReply,
  { answer, shopUrl }: { answer: Answer; shopUrl: string },
): Promise<FastifyReply> {
  if (Array.isArray(request.body)) throw new Problem(400, 'BAD_REQUEST', 'Send one message at a time.')
  let status: number | undefined
  const server = new Server({ name: 'skein', version: VERSION }, { capabilities: { tools: {} }, jsonSchemaValidator })
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    try {
      const known = shapes.get(params.name)
      if (!known) throw new Problem(400, 'BAD_USER_INPUT', `There is no tool ${params.name}.`)
      const { meta, ...given } = read(known.shape, params.arguments ?? {})
      const { takes } = known.call
      const answered = await answer(known.call, {
        id: String(given['id'] ?? ''),
        body: takes && (given[takes.name] ?? {}),
        idempotencyKey: meta['idempotency-key'] ?? null,
        profile: meta['ucp-agent'].profile,
      })
      return {
        structuredContent: answered as Record<string, unknown>,
        content: [{ type: 'text', text: JSON.stringify(answered) }],
      }
    } catch (error) {
      const problem = problemOf(error as Problem, request)
      status = problem.status
      throw asRpc(problem, shopUrl)
    }
  })
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const response = await transport.handleRequest(
      new Request('http://shop.invalid/', {
        method: 'POST',
        headers: {
          accept: 'application/json, text/event-stream',
          'content-type': request.headers['content-type'] ?? '',
          ...(request.headers['mcp-protocol-version'] && {
            'mcp-protocol-version': String(request.headers['mcp-protocol-version']),
          }),
        },
      }),
      { parsedBody: request.body ?? {} },
    )
    reply.code(status ?? response.status)
    return response.body ? reply.type('application/json; charset=utf-8').send(await response.text()) : reply.send()
  } finally {
    await server.close()
  }
}

/** The same problem as over REST; the status says it as well. */
function asRpc({ status, code, message, more }: Problem, shopUrl: string): Error {
  const rpc =
    CODE_OF[code] ?? (status === 400 ? ErrorCode.InvalidParams : status === 500 ? ErrorCode.InternalError : REFUSED)
  return Object.assign(new Error(message), {
    code: rpc,
    data: {
      code,
      content: message,
      continue_url: shopUrl,
      ...(more.retryAfter !== undefined && { retry_after: more.retryAfter }),
    },
  })
}
