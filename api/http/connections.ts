import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { valueAt } from '#schema/rules/present'
import { isStream } from './admission.ts'
import { isPage } from './forms.ts'
import { networkOf } from './network.ts'

export interface ConnectionLimits {
  total: number
  /** Of one address. An office behind one address has a few for each browser. */
  perAddress: number
  /** How long a new connection may say nothing, in milliseconds. */
  silentMs: number
  /** Requests that may wait on one connection while another one is worked on. */
  pipelined: number
  /** Requests of one address, pages and others counted apart, that begin in one round of the event loop; more begin in later ones. */
  perRound: number
  /** How long a reader may take nothing of an answer, and how long to read all of it, in milliseconds. */
  readMs: number
  readAllMs: number
}

export const CONNECTIONS: ConnectionLimits = {
  total: 2_000,
  perAddress: 400,
  silentMs: 10_000,
  pipelined: 16,
  perRound: 4,
  readMs: 30_000,
  readAllMs: 300_000,
}

/** One connection's requests: one at work, the others wait. */
interface Line {
  busy: boolean
  streaming: boolean
  waiting: (() => void)[]
}

/**
 * What one client may do with connections. A full house lets go of who does nothing: first of the newcomer's own
 * address, where that has its share. Requests on one connection are worked on one after the other, so their answers do
 * not pile up, and nothing waits behind a stream. What needs no waiting, such as a page that is kept, would be answered
 * thousands of times before anybody else is heard: so each address begins a few in a round of the event loop. Who does
 * not read is disconnected. `isProxy` says whose connections are those of many.
 */
export function limitConnections(
  app: FastifyInstance,
  isProxy: (address: string) => boolean,
  limits = CONNECTIONS,
): void {
  const open = new Set<Socket>()
  const byAddress = new Map<string, Set<Socket>>()
  const lines = new WeakMap<Socket, Line>()
  const round = rounds(limits.perRound)

  /** Ends the connection that does nothing for longest. */
  function letGo(sockets: Set<Socket>): boolean {
    for (const socket of sockets) {
      if (valueAt(lines, socket).busy || socket.destroyed) continue
      socket.destroy()
      return true
    }
    return false
  }

  // Timers run before anything is read: who has spoken while the process was busy is not silent.
  app.server.on('timeout', (socket: Socket) => {
    const { bytesRead } = socket
    setImmediate(() => socket.bytesRead === bytesRead && socket.destroy())
  })

  app.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const network = networkOf(address)
    const own = byAddress.get(network) ?? new Set()
    const line: Line = { busy: false, streaming: false, waiting: [] }
    if (
      (own.size >= limits.perAddress && !isProxy(address) && !letGo(own)) ||
      (open.size >= limits.total && !letGo(open))
    )
      return void socket.destroy()
    lines.set(socket, line)
    open.add(socket)
    byAddress.set(network, own.add(socket))
    socket.setTimeout(limits.silentMs)
    socket.once('close', () => {
      open.delete(socket)
      own.delete(socket)
      if (own.size === 0) byAddress.delete(network)
      for (const go of line.waiting.splice(0)) go()
    })
  })

  app.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw
    const line = lines.get(socket)
    // The shop's own internal request has no connection.
    if (!line) return
    if (line.busy) {
      if (line.streaming || line.waiting.length >= limits.pipelined) socket.destroy()
      else
        await new Promise<void>(go => {
          line.waiting.push(go)
        })
    }
    line.busy = true
    line.streaming = isStream(request)
    const address = networkOf(request.ip)
    await round(isPage(request) ? `pages of ${address}` : address)
    if (line.streaming && line.waiting.length > 0) socket.destroy()
    if (socket.destroyed) return void reply.hijack()
    socket.setTimeout(app.server.timeout)
    reply.raw.once('close', () => {
      const next = line.waiting.shift()
      if (next) next()
      else line.busy = line.streaming = false
    })
  })

  app.addHook('onSend', async ({ raw: { socket } }, reply) => {
    if (!lines.has(socket) || reply.raw.closed) return
    socket.setTimeout(limits.readMs)
    const tooSlow = setTimeout(() => socket.destroy(), limits.readAllMs)
    reply.raw.once('close', () => clearTimeout(tooSlow))
  })
}

/** Lets so many of each address begin in one round of the event loop. Returns what the others wait for. */
function rounds(perRound: number): (address: string) => Promise<void> | undefined {
  const addresses = new Map<string, { begun: number; waiting: (() => void)[] }>()

  function next() {
    for (const [address, own] of addresses) {
      const going = own.waiting.splice(0, perRound)
      own.begun = going.length
      if (going.length === 0) addresses.delete(address)
      for (const go of going) go()
    }
    if (addresses.size > 0) setImmediate(next)
  }

  return address => {
    const own = addresses.get(address)
    if (!own) {
      if (addresses.size === 0) setImmediate(next)
      addresses.set(address, { begun: 1, waiting: [] })
    } else if (own.begun < perRound) own.begun++
    else
      return new Promise(go => {
        own.waiting.push(go)
      })
  }
}
