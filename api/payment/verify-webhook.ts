import { verify as verifySignature, X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { clock } from '../kernel/clock.ts'
import type { Services } from '../context.ts'

/** Where PayPal's certificates come from, and nowhere else. */
export const CERTIFICATE_ORIGIN = { SANDBOX: 'https://api.sandbox.paypal.com', LIVE: 'https://api.paypal.com' } as const

/** The event does not come from PayPal, or was changed on the way. */
export class ForgedWebhook extends Error {
  override name = 'ForgedWebhook'
}

/** Whether it is genuine cannot be found out now: no webhook id is set, or the certificate cannot be fetched. */
export class UnverifiableWebhook extends Error {
  override name = 'UnverifiableWebhook'
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

const CERTIFICATE_PATH = /^\/v1\/notifications\/certs\/[\w.-]{1,100}$/
const REMEMBERED_CERTIFICATES = 10
const FETCH_MS = 5_000

/**
 * PayPal's signature over the raw body, checked without asking PayPal: RSA-SHA256 over
 * `transmission id|time|webhook id|CRC-32 of the body` with a certificate that only PayPal's own host can have served.
 */
export function webhookVerifier({ id: webhookId, certificateOrigin }: Services['paypalWebhook']) {
  const certificates = new Map<string, X509Certificate>()

  async function certificateFrom(address: string): Promise<X509Certificate> {
    const known = certificates.get(address)
    if (known) return known
    const fetched = await fetchCertificate(address)
    const oldest = certificates.size >= REMEMBERED_CERTIFICATES ? certificates.keys().next().value : undefined
    if (oldest) certificates.delete(oldest)
    certificates.set(address, fetched)
    return fetched
  }

  return async function verify(headers: Headers, body: Buffer, now = clock.now()): Promise<void> {
    if (!webhookId) throw new UnverifiableWebhook('PAYPAL_WEBHOOK_ID is not set')
    const header = (name: string) => {
      const value = headers[`paypal-${name}`]
      if (typeof value !== 'string' || value === '') throw new ForgedWebhook(`without paypal-${name}`)
      return value
    }
    if (header('auth-algo') !== 'SHA256withRSA') throw new ForgedWebhook('signed in another way')
    const address = URL.parse(header('cert-url'))
    if (
      address?.origin !== certificateOrigin ||
      !CERTIFICATE_PATH.test(address.pathname) ||
      address.username ||
      address.search
    ) {
      throw new ForgedWebhook('certificate from elsewhere')
    }
    const message = `${header('transmission-id')}|${header('transmission-time')}|${webhookId}|${crc32(body)}`
    const signature = Buffer.from(header('transmission-sig'), 'base64')

    const certificate = await certificateFrom(address.href)
    if (now < certificate.validFromDate || now > certificate.validToDate)
      throw new ForgedWebhook('certificate out of date')
    if (certificate.publicKey.asymmetricKeyType !== 'rsa') throw new ForgedWebhook('certificate without an RSA key')
    if (!verifySignature('RSA-SHA256', Buffer.from(message), certificate.publicKey, signature))
      throw new ForgedWebhook('wrong signature')
  }
}

async function fetchCertificate(address: string): Promise<X509Certificate> {
  const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(FETCH_MS) }).catch(
    (cause: unknown) => {
      throw new UnverifiableWebhook('The certificate cannot be fetched', { cause })
    },
  )
  const text = await response.text()
  if (response.status >= 500) throw new UnverifiableWebhook(`The certificate cannot be fetched: ${response.status}`)
  try {
    return new X509Certificate(text)
  } catch (cause) {
    throw new ForgedWebhook('no certificate there', { cause })
  }
}
