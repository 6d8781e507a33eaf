import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import { freePort } from './free-port.ts'
import { openShop } from './shop.ts'
import schemas from './ucp-schemas.json' with { type: 'json' }
import { present } from '#schema/rules/present'

/** An answer of the protocol. Its schemas describe its shape. */
// oxlint-disable-next-line typescript/no-explicit-any -- Tests read as much of it as they need.
type Answered = any

const NODE = 'node_modules/node/bin/node'
const UCP = 'node_modules/@shopify/ucp-cli/dist/bin.js'
/** In tests every host name leads to this machine, where nobody answers at this address. */
const AGENT = 'https://agent.example/profile.json'

/** A shop that names its real address as its own, because agents go to that address. */
export async function openShopForAgents(options: Parameters<typeof openShop>[0] = {}) {
  const port = await freePort()
  return openShop({ port, shopUrl: `http://127.0.0.1:${port}`, ...options })
}

/** Shopify's command line from npm. Returns the envelope it prints; a call without a result fails with all it printed. */
export async function openUcpCli(business: string) {
  const home = await mkdtemp(join(tmpdir(), 'skein-ucp-'))
  return {
    run: (...args: string[]) =>
      new Promise<Answered>((resolve, reject) =>
        execFile(
          NODE,
          [UCP, ...args, '--business', business, '--format', 'json'],
          {
            env: { HOME: home, UCP_HOME: home, UCP_TEST_ALLOW_INSECURE_LOCALHOST: 'true', UCP_STRICT_SCHEMA: '1' },
            timeout: 60_000,
          },
          (_error, stdout, stderr) => {
            const said = new Error(`ucp ${args.join(' ')}\n${stdout}\n${stderr}`)
            try {
              const envelope = JSON.parse(stdout)
              if (envelope.result) resolve(envelope)
              else reject(said)
            } catch {
              reject(said)
            }
          },
        ),
      ),
    close: () => rm(home, { recursive: true, force: true }),
  }
}

let rpc = 0

/** Calls a tool over MCP. Returns the answer's status and message. */
export async function callTool(url: string, name: string, args: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/api/ucp/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: ++rpc,
      method: 'tools/call',
      params: { name, arguments: { meta: { 'ucp-agent': { profile: AGENT } }, ...args } },
    }),
  })
  return { status: response.status, body: (await response.json()) as Answered }
}

/** The same call over REST. */
export async function callRest(url: string, method: string, path: string, body?: object, headers = {}) {
  const response = await fetch(`${url}/api/ucp${path}`, {
    method,
    headers: {
      'ucp-agent': `profile="${AGENT}"`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Answered }
}

const ajv = new Ajv2020({ schemas, strict: false, allErrors: true })
addFormats.default(ajv)

/** Checks an answer against the protocol's own schema. */
export function expectValid(answer: unknown, schema: string) {
  const validate = ajv.getSchema(`https://ucp.dev/schemas/${schema}`)
  expect(validate, schema).toBeDefined()
  present(validate)(answer)
  expect(present(validate).errors ?? []).toEqual([])
}
