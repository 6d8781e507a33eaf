// How PayPal reports to a shop what happened: events signed with a key whose certificate the shop can fetch.
import { createPrivateKey, randomUUID, sign as signBytes, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { captureAnswer, minimalOrder, refundAnswer } from './responses.ts'
import { paypalId, timestamp, type SimulatedOrder, type SimulatedRefund } from './store.ts'

/** The id of the shop's only webhook at the simulator. */
export const SIMULATED_WEBHOOK_ID = '5SIMULATEDWEBHOOK'

const beside = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const key = createPrivateKey(beside('webhook-test-key.pem'))

/** The certificate as it is served, without the text above it in the file. */
export const certificate = beside('webhook-test-cert.pem').replace(/^[^-]*/, '')

export interface Delivery {
  headers: Record<string, string>
  body: string
}

export interface Release {
  /** How many times each event is sent. */
  copies?: number
  /** Newest first. */
  reversed?: boolean
  /** Changes the body after it was signed. */
  tamper?: boolean
}

const RETRY_MS = [200, 1_000, 4_000]

export type Webhooks = ReturnType<typeof createWebhooks>

export function createWebhooks() {
  const shop = { url: null as string | null }
  let held: Delivery[] | null = null
  let statuses: number[] = []
  const stopped = new AbortController()
  const underWay = new Set<Promise<void>>()

  function emit(base: string, eventType: string, resource: object): void {
    if (!shop.url) return
    const delivery = sign(base, {
      id: `WH-${paypalId()}-${paypalId()}`,
      event_version: '1.0',
      create_time: timestamp(),
      resource_type: resourceTypeOf(eventType),
      resource_version: '2.0',
      event_type: eventType,
      summary: `Simulated: ${eventType}`,
      resource,
    })
    if (held) held.push(delivery)
    else deliver(delivery)
  }

  function deliver(delivery: Delivery): void {
    const sending = send(delivery).finally(() => underWay.delete(sending))
    underWay.add(sending)
  }

  /** Retries as PayPal does, but sooner and not for days. */
  async function send(delivery: Delivery): Promise<void> {
    for (let tried = 0; shop.url && !stopped.signal.aborted; tried++) {
      const status = await post(shop.url, delivery, stopped.signal)
      statuses.push(status)
      const wait = RETRY_MS[tried]
      if ((status >= 200 && status < 300) || wait === undefined) return
      await pause(wait, undefined, { signal: stopped.signal, ref: false }).catch(() => {})
    }
  }

  return {
    emit,
    approved: (order: SimulatedOrder, base: string) =>
      emit(base, 'CHECKOUT.ORDER.APPROVED', {
        ...minimalOrder(order, base),
        purchase_units: [{ custom_id: order.customId }],
      }),
    /** Sends the event for what became of the order's capture. */
    captured(order: SimulatedOrder, base: string): void {
      const { capture } = order
      const type = capture && CAPTURE_EVENTS[capture.status]
      if (!type) return
      emit(base, type, {
        ...captureAnswer(capture, order, base),
        supplementary_data: { related_ids: { order_id: order.id } },
      })
    },
    refunded: (
      refund: SimulatedRefund,
      order: SimulatedOrder,
      base: string,
      type: 'REFUNDED' | 'REVERSED' = 'REFUNDED',
    ) => emit(base, `PAYMENT.CAPTURE.${type}`, refundAnswer(refund, order, base)),
    /** From now on events go to this address; null sends none. */
    sendTo(address: string | null): void {
      shop.url = address
    },
    /** Keeps events until they are released. */
    hold(): void {
      held ??= []
    },
    /** Sends what was held, and waits until it has arrived. Returns the events as they were sent. */
    async release({ copies = 1, reversed = false, tamper = false }: Release = {}): Promise<Delivery[]> {
      const events = reversed ? (held ?? []).toReversed() : (held ?? [])
      held = null
      for (const event of events) {
        const sent = tamper ? { ...event, body: event.body.replace('"value":"', '"value":"9') } : event
        // Copies race each other; different events keep their order.
        await Promise.all(Array.from({ length: copies }, () => send(sent)))
      }
      return events
    },
    /** Waits until no event is on its way. Returns the statuses that the shop has answered since the last call. */
    async arrived(): Promise<number[]> {
      while (underWay.size > 0) await Promise.all(underWay)
      return statuses.splice(0)
    },
    reset(): void {
      held = null
      statuses = []
    },
    async stop(): Promise<void> {
      stopped.abort()
      await Promise.all(underWay)
    },
  }
}

/** The status of the answer; 0 when there is none. */
async function post(url: string, { headers, body }: Delivery, stopped: AbortSignal): Promise<number> {
  // Loaded when an event is sent first: the shop knows this file for its constants, too.
  const { request } = await import('undici')
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(10_000)])
  try {
    const answer = await request(url, { method: 'POST', headers, body, signal })
    await answer.body.dump()
    return answer.statusCode
  } catch {
    return 0
  }
}

/** PayPal's name for the type of resource that an event is about. */
function resourceTypeOf(eventType: string): 'checkout-order' | 'refund' | 'capture' {
  if (/^[A-Z]+\.ORDER\./.test(eventType)) return 'checkout-order'
  return /REFUNDED|REVERSED/.test(eventType) ? 'refund' : 'capture'
}

const CAPTURE_EVENTS: Record<string, string> = {
  COMPLETED: 'PAYMENT.CAPTURE.COMPLETED',
  PENDING: 'PAYMENT.CAPTURE.PENDING',
  DECLINED: 'PAYMENT.CAPTURE.DENIED',
}

/** An event with the headers that PayPal would send. Tests also sign their own events with it. */
export function sign(base: string, event: object, webhookId = SIMULATED_WEBHOOK_ID): Delivery {
  const body = JSON.stringify(event)
  const [id, time] = [randomUUID(), timestamp()]
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'paypal-transmission-id': id,
      'paypal-transmission-time': time,
      'paypal-transmission-sig': signBytes(
        'RSA-SHA256',
        Buffer.from(`${id}|${time}|${webhookId}|${crc32(body)}`),
        key,
      ).toString('base64'),
      'paypal-cert-url': `${base}/v1/notifications/certs/CERT-SIMULATED`,
      'paypal-auth-algo': 'SHA256withRSA',
    },
  }
}

/** Whether an event is genuine, as PayPal answers when a shop asks it to verify one. */
export function isGenuine(asked: Record<string, unknown>): boolean {
  const { transmission_id, transmission_time, webhook_id, transmission_sig, webhook_event } = asked
  if (webhook_id !== SIMULATED_WEBHOOK_ID || typeof transmission_sig !== 'string') return false
  const message = `${transmission_id}|${transmission_time}|${webhook_id}|${crc32(JSON.stringify(webhook_event))}`
  return verify('RSA-SHA256', Buffer.from(message), certificate, Buffer.from(transmission_sig, 'base64'))
}
