import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import { freePort } from '../../tools/local-postgres/system.ts'
import { openShop } from './shop.ts'
import schemas from './ucp-schemas.json' with { type: 'json' }
import { present } from '#schema/rules/present'

/** What the protocol answers: its schemas say what it is like. */
// oxlint-disable-next-line typescript/no-explicit-any -- Tests read as much of it as they need.
type Answered = any

const NODE = 'node_modules/node/bin/node'
const UCP = 'node_modules/@shopify/ucp-cli/dist/bin.js'
/** No name of a test leads anywhere else than here, where nobody answers. */
const AGENT = 'https://agent.example/profile.json'

/** A shop that says of itself where it really is, which is where agents go. */
export async function openShopForAgents(options: Parameters<typeof openShop>[0] = {}) {
  const port = await freePort()
  return openShop({ port, shopUrl: `http://127.0.0.1:${port}`, ...options })
}

/** Shopify's command line, as it comes from npm: answers with the envelope it prints. */
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
            try {
              resolve(JSON.parse(stdout))
            } catch {
              reject(new Error(`${stdout}\n${stderr}`))
            }
          },
        ),
      ),
    close: () => rm(home, { recursive: true, force: true }),
  }
}

let rpc = 0

/** A tool called over MCP: status and message of the answer. */
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

/** The same over REST. */
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

/** Whether an answer is as the protocol's own schema has it. */
export function expectValid(answer: unknown, schema: string) {
  const validate = ajv.getSchema(`https://ucp.dev/schemas/${schema}`)
  expect(validate, schema).toBeDefined()
  present(validate)(answer)
  expect(present(validate).errors ?? []).toEqual([])
}
