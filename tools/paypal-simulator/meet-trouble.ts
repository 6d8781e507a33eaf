// Applies the scenario that was planned for a call.
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { debugId, refusal, refuse, unauthorized } from './errors.ts'
import type { Desk } from './paypal-api.ts'
import { isTrouble, type Plan, type PlannedCall } from './scenarios.ts'

/** What is planned for this kind of call: the scenarios for its order if there are any, otherwise those for all. */
function planned<Call extends PlannedCall>(desk: Desk, call: Call, request: FastifyRequest): Plan[Call] {
  const { id = '' } = request.params as { id?: string }
  const unit = (request.body as { purchase_units?: { custom_id?: string }[] } | null)?.purchase_units?.[0]
  const own = desk.plans.get((desk.store.find(id) ?? desk.store.findByCapture(id))?.customId ?? unit?.custom_id ?? '')
  return own && own[call].length > 0 ? own[call] : desk.plan[call]
}

/** Takes the next scenario that is planned for this kind of call. */
export function spend<Call extends PlannedCall>(
  desk: Desk,
  call: Call,
  request: FastifyRequest,
): Plan[Call][number] | undefined {
  const scenario = planned(desk, call, request).shift()
  if (scenario) desk.journal.note(request, { scenario })
  return scenario
}

/** True when the planned trouble has sent the answer, or withheld it. */
export async function meetTrouble(
  desk: Desk,
  call: PlannedCall,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  if (!isTrouble(planned(desk, call, request)[0])) return false
  switch (spend(desk, call, request)) {
    case '500':
      refuse(reply, refusal('INTERNAL_SERVICE_ERROR'))
      return true
    case '503':
      reply.status(503).send({ name: 'SERVICE_UNAVAILABLE', message: 'Service is unavailable.', debug_id: debugId() })
      return true
    case 'in-progress':
      refuse(reply, refusal('PREVIOUS_REQUEST_IN_PROGRESS'))
      return true
    case 'redirect':
      reply.status(302).header('location', 'https://www.example.com/').send()
      return true
    case 'proxy-404':
      reply.status(404).type('text/html').send('<html>Not Found</html>')
      return true
    case 'empty':
      reply.status(200).send()
      return true
    case 'unrelated':
      reply.send({ status: 'COMPLETED' })
      return true
    case 'truncated':
      reply.hijack()
      request.raw.socket.write(
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"id": "',
        () => request.raw.socket.destroy(),
      )
      return true
    case '429':
      reply.status(429).send({ name: 'RATE_LIMIT_REACHED', message: 'Too many requests.', debug_id: debugId() })
      return true
    case '401':
      desk.tokens.clear()
      reply.status(401).send(unauthorized('invalid_token'))
      return true
    case 'nonsense':
      reply.type('text/html').send('<html>Everything is fine.</html>')
      return true
    case 'slow':
      await pause(3_000)
      return false
    case 'timeout':
      reply.hijack()
      return true
    case 'disconnect':
      reply.hijack()
      request.raw.socket.destroy()
      return true
  }
  return false
}
