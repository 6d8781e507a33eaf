import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { EXAMPLES } from './examples.ts'

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')
const [style, script] = [read('explorer.css'), read('explorer.js')]
// `<` would end the script.
const examples = JSON.stringify(EXAMPLES).replaceAll('<', '\\u003c')

/** Whether a person opened the endpoint in a browser, with nothing to run. */
export function wantsExplorer({ method, headers, query }: FastifyRequest): boolean {
  return method === 'GET' && /\btext\/html\b/.test(headers.accept ?? '') && Object.keys(query as object).length === 0
}

/** A page to try the API with. Everything it needs is in it; only operations leave it. */
export function sendExplorer(reply: FastifyReply): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  return reply.type('text/html; charset=utf-8').headers({
    'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  }).send(page(nonce))
}

const page = (nonce: string) => `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>GraphQL explorer · Skein</title><style nonce="${nonce}">${style}</style></head>
<body>
<header><h1>Skein GraphQL</h1><a href="/api/docs">REST calls</a><a href="/">The shop</a></header>
<main>
<form id="form">
  <div class="row"><label for="picker">Example</label><select id="picker"></select><button>Run</button><span class="quiet">Ctrl + Enter</span></div>
  <label for="query">Operation</label><textarea id="query" spellcheck="false" autocapitalize="off"></textarea>
  <label for="variables">Variables (JSON)</label><textarea id="variables" spellcheck="false" autocapitalize="off"></textarea>
  <label for="token">Authorization header: the token of a session, or a partner’s key</label><input id="token" type="password" autocomplete="off" placeholder="Bearer …">
</form>
<section aria-label="Result"><div class="row"><h2>Result</h2><span id="status" class="quiet" role="status"></span></div><pre id="result" tabindex="0"></pre></section>
<section id="docs" aria-label="Schema"><h2>Schema</h2><label for="search">Type</label><input id="search" type="search" placeholder="Product"><div id="entries"></div></section>
</main>
<script type="application/json" id="examples" nonce="${nonce}">${examples}</script>
<script type="module" nonce="${nonce}">${script}</script>
</body>
</html>`
