import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

/** The keys that the server takes as the owner's. */
export const S3_KEYS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

/** An empty bucket of an S3-compatible storage on loopback. It refuses requests that its owner has not signed. */
export async function startBucket() {
  const directory = await mkdtemp(join(tmpdir(), 'skein-bucket-'))
  const name = 'yarn-pictures'
  const storage = new S3rver({ silent: true, directory, configureBuckets: [{ name, configs: [] }] })
  await storage.configureBuckets()
  const answer = storage.callback()
  const server = createServer((request, response) => {
    if (isSigned(request)) return answer(request, response)
    response.writeHead(403, { 'content-type': 'application/xml' })
    return response.end(
      '<Error><Code>SignatureDoesNotMatch</Code><Message>Another signature is right</Message></Error>',
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    bucket: { name, region: 'us-east-1', endpoint: `http://127.0.0.1:${port}` },
    async stop() {
      server.closeAllConnections()
      server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Checks version 4 of Amazon's signatures, which the server itself does not check. */
function isSigned({ method, url = '', headers }: IncomingMessage): boolean {
  const [, scope, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=S3RVER\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    ) ?? []
  if (!scope || !names) return false
  const [path = '', query = ''] = url.split('?')
  const parameters = query
    .split('&')
    .filter(Boolean)
    .map(each => (each.includes('=') ? each : `${each}=`))
  const asked = [
    method,
    path,
    parameters.toSorted().join('&'),
    ...names.split(';').map(name => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const text = [
    'AWS4-HMAC-SHA256',
    headers['x-amz-date'],
    scope,
    createHash('sha256').update(asked).digest('hex'),
  ].join('\n')
  const key = scope
    .split('/')
    .reduce<string | Buffer>((key, part) => hmac(key, part), `AWS4${S3_KEYS.AWS_SECRET_ACCESS_KEY}`)
  return hmac(key, text).toString('hex') === signature
}
