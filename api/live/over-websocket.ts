import type { WebSocket } from '@fastify/websocket'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { GraphQLError, parse, type ExecutionArgs, type GraphQLSchema } from 'graphql'
import { CloseCode, makeServer, type Server } from 'graphql-ws'
import { present } from '#schema/rules/present'
import type { Context } from '../context.ts'
import { networkOf } from '../http/network.ts'
import { ORDER_TOKEN } from '../http/order-token.ts'
import { Problem, problemOf } from '../http/problem.ts'
import { withRequestId } from '../kernel/request-id.ts'
import { limitOpen } from './open-limits.ts'
import type { OpenStream, Operation, Results, StreamLimits } from './stream.ts'

/** Messages and pings of one socket between two pings of the shop's. No client needs as many. */
const MOST_HEARD = 200
/** Of a reason, in bytes. */
const LONGEST_REASON = 123

interface SocketOptions {
  schema: GraphQLSchema
  openStream: OpenStream
  contextOf: (request: FastifyRequest) => Promise<Context>
  /** Has each operation pay what a request does. */
  payLeast: ((request: FastifyRequest) => Promise<void>) | undefined
  limits: StreamLimits
  origins: 'any' | readonly string[]
}

/** One client's socket, and the request it began with, which brings what the client said of itself since. */
interface Extra {
  socket: WebSocket
  request: FastifyRequest
}

/** What an operation of such a socket runs with, for graphql-ws. */
interface Listening extends ExecutionArgs {
  results: Results
}

/**
 * Subscriptions over graphql-transport-ws, as many on a socket as an account may have streams. Each passes what a
 * request of its own would: `admit` is asked before there is a socket, `talk` talks over it.
 */
export function overWebSocket({ schema, openStream, contextOf, payLeast, limits, origins }: SocketOptions) {
  const open = limitOpen({ ...limits, perClient: limits.perAddress }, 'sockets')

  const server = makeServer<Record<string, unknown>, Extra>({
    connectionInitWaitTimeout: limits.initMs,
    async onConnect({ connectionParams = {}, extra }) {
      extra.request = introduced(extra.request, connectionParams)
      try {
        await contextOf(extra.request)
        return { requestId: extra.request.id }
      } catch (error) {
        const { status, code, message } = problemOf(error as GraphQLError, extra.request)
        extra.socket.close(
          status === 401 ? CloseCode.Unauthorized : TRY_AGAIN,
          `${code}: ${message}`.slice(0, LONGEST_REASON),
        )
        return false
      }
    },
    async onSubscribe({ extra: { request }, subscriptions }, _id, { query, variables, operationName }) {
      if (Object.keys(subscriptions).length > limits.perClient)
        return [
          refused(
            new Problem(429, 'RATE_LIMITED', `${limits.perClient} streams are open already. Please close one first.`),
          ),
        ]
      const own: FastifyRequest = Object.create(request)
      try {
        await payLeast?.(own)
        const results = await openStream(own, { query, variables, operationName } as Operation)
        if (!results.refusal)
          return { schema, document: parse(query, { noLocation: true }), operationName, results } as Listening
        await results.return()
        return present(results.refusal.errors).map(({ message, ...rest }) => new GraphQLError(message, rest))
      } catch (error) {
        return [refused(problemOf(error as GraphQLError, own))]
      }
    },
    subscribe: args => (args as Listening).results as never,
    onNext: (_context, _id, _payload, _args, result) => result as never,
    // A change that could not be sent: the client connects again and is sent how things are then.
    onError({ extra: { socket, request } }, _id, _payload, errors) {
      const failure = (errors as readonly GraphQLError[]).find(({ originalError }) => originalError)
      if (!failure) return
      request.log.warn(failure.originalError, 'A stream was cut')
      socket.close(TRY_AGAIN, 'A change could not be told; come again')
    },
  })

  return {
    async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      if (!request.ws) return
      const { origin } = request.headers
      if (origin && origins !== 'any' && !origins.includes(origin) && hostOf(origin) !== request.host)
        throw new Problem(403, 'FORBIDDEN', 'Pages of this origin may not use the shop from a browser.')
      const address = networkOf(request.ip)
      reply.raw.once('close', open(address, address))
    },

    talk: (socket: WebSocket, request: FastifyRequest) => talk(server, socket, request, limits.pingMs),
  }
}

/** Passes messages on, and closes on who sends too many or is no longer there. */
function talk(server: Server<Extra>, socket: WebSocket, request: FastifyRequest, pingMs: number): void {
  let heard = 0
  let answered = true
  const isOneTooMany = () => {
    if (++heard <= MOST_HEARD) return false
    socket.close(CloseCode.TooManyInitialisationRequests, 'Too many messages')
    return true
  }
  const pings = setInterval(() => {
    if (!answered) return socket.terminate()
    heard = 0
    answered = false
    socket.ping()
  }, pingMs)
  const closed = server.opened(
    {
      protocol: socket.protocol,
      // Resolves when it was handed on, so that a client that does not read is sent no more.
      send: data =>
        new Promise((resolve, reject) => {
          if (socket.readyState !== socket.OPEN) return resolve()
          socket.send(data, error => (error ? reject(error) : resolve()))
        }),
      close: (code, reason) => socket.close(code, reason),
      onMessage: hear =>
        socket.on('message', data => {
          if (socket.readyState !== socket.OPEN || isOneTooMany()) return
          withRequestId(request.id, () =>
            hear(String(data)).catch(error => {
              request.log.debug(error, 'A WebSocket was closed')
              socket.close(CloseCode.BadRequest, 'Invalid message received')
            }),
          )
        }),
    },
    { socket, request },
  )
  socket.on('ping', data => {
    if (socket.readyState === socket.OPEN && !isOneTooMany()) socket.pong(data)
  })
  socket.on('pong', () => {
    answered = true
  })
  socket.once('close', (code, reason) => {
    clearInterval(pings)
    void closed(code, String(reason))
  })
}

/** The client comes again later. */
const TRY_AGAIN = 1013

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : null)

/** A browser sends no headers of its own with a WebSocket, so the first message brings what they would. */
function introduced(request: FastifyRequest, params: Record<string, unknown>): FastifyRequest {
  const headers = { ...request.headers }
  for (const [name, value] of Object.entries(params))
    if (['authorization', ORDER_TOKEN].includes(name.toLowerCase())) headers[name.toLowerCase()] = String(value)
  return Object.create(request, { headers: { value: headers } })
}

const refused = ({ message, code, more }: Problem) =>
  new GraphQLError(message, {
    extensions: { code, ...more.details, ...(more.retryAfter !== undefined && { retryAfter: more.retryAfter }) },
  })
