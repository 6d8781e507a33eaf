import type { FastifyRequest } from 'fastify'
import { authenticate } from '../account/authenticate.ts'
import type { Context, Services } from '../context.ts'
import { orderOpenedBy } from '../order/order-links.ts'
import { ORDER_TOKEN } from '../http/order-token.ts'
import type { Points } from '../http/rate-limit.ts'
import type { Settings } from './settings.ts'

/** The sender, looked up once for each request. */
export function openContexts(services: Services, { orm, adminSecondFactor }: Settings, points: Points | undefined) {
  const newContext = async (request: FastifyRequest): Promise<Context> => {
    const em = orm.em.fork()
    const identity = await authenticate(em, request.headers.authorization, request.ip)
    // A partner's program signs in with nothing but its key.
    if (adminSecondFactor === 'required' && identity.user && !identity.scopes)
      identity.user.awaitsSecondFactor = !identity.user.hasSecondFactor
    const orderToken = request.headers[ORDER_TOKEN]
    const { user, sessionHash, scopes, keyUse } = identity
    // Named one by one: spreading what is not the first of an object takes several times as long.
    return {
      ...services,
      em,
      user,
      sessionHash,
      scopes,
      keyUse,
      orderToken: orderToken === undefined ? null : { orderId: await orderOpenedBy(em, String(orderToken)) },
      ip: request.ip,
      hasLeft: () => request.raw.socket.destroyed,
      // A plain value, as all the others: what has a getter takes a hundred times as long to copy, which each operation does.
      purse: points?.purseOf(request),
    }
  }
  const contexts = new WeakMap<FastifyRequest, Promise<Context>>()
  const contextOf = (request: FastifyRequest): Promise<Context> => {
    const known = contexts.get(request)
    if (known) return known
    const context = newContext(request)
    contexts.set(request, context)
    return context
  }
  /** Of a request that nobody may have asked about; null where its sender was refused. */
  const known = (request: FastifyRequest): Promise<Context | null> =>
    contexts.get(request)?.catch(() => null) ?? Promise.resolve(null)
  const anonymous = (): Context => ({
    ...services,
    em: orm.em.fork(),
    user: null,
    sessionHash: null,
    scopes: null,
    keyUse: null,
    orderToken: null,
    ip: 'server',
    hasLeft: () => false,
  })
  return { newContext, contextOf, known, anonymous, contextFor: async () => anonymous(), payLeast: points?.payLeast }
}
