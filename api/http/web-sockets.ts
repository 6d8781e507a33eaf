import { EventEmitter } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import websocket from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import { handleProtocols } from 'graphql-ws'

/** How long a client may take to say goodbye, too. */
const GOODBYE_MS = 500

/** Whether a request asks for a WebSocket where there is one. */
export const isWebSocket = ({ headers, url }: Pick<IncomingMessage, 'headers' | 'url'>): boolean =>
  /^websocket$/i.test(headers.upgrade ?? '') && /^\/graphql(?:\?|$)/.test(url ?? '')

/**
 * Lets a route take WebSockets. A request for one passes every hook before it becomes one, and a message is as long as a
 * body may be. A request for one elsewhere is left to other listeners, such as Vite.
 */
export async function acceptWebSockets(app: FastifyInstance, bodyLimit: number): Promise<void> {
  const upgrades = new EventEmitter()
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (isWebSocket(request)) upgrades.emit('upgrade', request, socket, head)
  })
  await app.register(websocket, {
    options: {
      server: upgrades as Server,
      maxPayload: bodyLimit,
      autoPong: false,
      // ws knows it, its types do not yet.
      ...({ closeTimeout: GOODBYE_MS } as object),
      handleProtocols,
    },
    preClose(done) {
      for (const socket of app.websocketServer.clients) socket.close(1012, 'The shop stops; come again')
      done()
    },
    // No valid message: too long, or none at all. The client has been answered so.
    errorHandler: (error, socket, request) => {
      request.log.debug(error, 'A WebSocket was closed')
      socket.close()
    },
  })
}
