import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { present } from '#schema/rules/present'
import { EXAMPLES } from './examples.ts'

interface ExplorerOptions {
  /** Whether introspection is allowed. */
  introspection: boolean
  /** Whether it runs no operations but the storefront's, except for administrators and partners' keys. */
  persistedOnly: boolean
  /** Vite serves the page's files from source. */
  dev: boolean
}

const ENTRY = 'storefront/entry-explorer.tsx'
const BUILT = '/assets/explorer/'
const MANIFEST = new URL(`../../../dist/client${BUILT}.vite/manifest.json`, import.meta.url)

/** Whether a person opened the endpoint in a browser, with nothing to run. */
export function wantsExplorer({ method, headers, query }: FastifyRequest): boolean {
  return method === 'GET' && /\btext\/html\b/.test(headers.accept ?? '') && Object.keys(query as object).length === 0
}

/** A page to try the API with: GraphiQL, served by ourselves. Only operations leave it. */
export async function sendExplorer(reply: FastifyReply, options: ExplorerOptions): Promise<FastifyReply> {
  const nonce = randomBytes(16).toString('base64')
  const files = options.dev ? { script: `/${ENTRY}`, styles: [] } : await builtFiles()
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': policy(nonce),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    .send(page(nonce, files, options))
}

const policy = (nonce: string) =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    // The worker that checks the text as it is typed.
    "worker-src 'self'",
    // The editor places its lines with style attributes and writes style sheets of its own, and cannot be given a nonce.
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

interface Files {
  script: string
  styles: string[]
}

async function builtFiles(): Promise<Files> {
  const manifest = JSON.parse(await readFile(MANIFEST, 'utf8')) as Record<string, { file: string; css?: string[] }>
  const { file, css = [] } = present(manifest[ENTRY])
  return { script: BUILT + file, styles: css.map(style => BUILT + style) }
}

function notices({ introspection, persistedOnly }: ExplorerOptions): string[] {
  return [
    ...(persistedOnly
      ? [
          'This shop runs only the operations of its own storefront. With the token of an administrator or the key of a partner it runs others too.',
        ]
      : []),
    ...(introspection
      ? []
      : ['This shop does not tell its schema, whoever asks: nothing is documented, completed or checked here.']),
  ]
}

const page = (nonce: string, { script, styles }: Files, options: ExplorerOptions) => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>GraphQL explorer · Skein</title>
<meta property="csp-nonce" nonce="${nonce}">
${styles.map(style => `<link rel="stylesheet" href="${style}">`).join('\n')}
</head>
<body>
<div id="explorer"><noscript>The explorer needs JavaScript. The REST calls can be read without: <a href="/api/docs">REST calls</a>.</noscript></div>
<script type="application/json" id="data">${inScript({ examples: EXAMPLES, introspection: options.introspection, notices: notices(options) })}</script>
<script type="module" nonce="${nonce}" src="${script}"></script>
</body>
</html>`

// `<` would end the script.
const inScript = (data: unknown) => JSON.stringify(data).replaceAll('<', '\\u003c')
