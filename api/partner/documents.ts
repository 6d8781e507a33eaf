import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { printSchema, type GraphQLSchema } from 'graphql'
import markdown from 'markdown-it'
import { currencyName } from '#schema/rules/currency'
import { nth } from '#schema/rules/present'

interface DocumentOptions {
  schema: GraphQLSchema
  /** Whether introspection is allowed. */
  introspection: boolean
  /** Public origin of the shop. */
  shopUrl: string
}

const FOLDER = new URL('../../docs/', import.meta.url)
const PAGES = {
  '/docs': 'partner-guide.md',
  '/docs/recipes': 'recipes.md',
  '/docs/contract/changes': 'contract/changes.md',
}

const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#2b2320, #efe8e2); --line: light-dark(#ddd3ca, #4a403a); --paper: light-dark(#fbf8f4, #211c19); --code: light-dark(#f2ece5, #2c2622) }
body { font: 1rem/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 56rem; margin: 0 auto; padding: 2rem 1rem 6rem; overflow-wrap: break-word }
h1, h2 { font-family: Georgia, serif } h2 { margin-top: 3rem } a { color: inherit }
pre { background: var(--code); padding: .8rem 1rem; overflow: auto; font-size: .875rem; border-radius: .4rem }
table { border-collapse: collapse; width: 100% } td { text-align: start; vertical-align: top; padding: .4rem .75rem .4rem 0; border-top: 1px solid var(--line) }`

/** What developers read: the guide, the contract, and where everything is. */
export async function documents(
  app: FastifyInstance,
  { schema, introspection, shopUrl }: DocumentOptions,
): Promise<void> {
  for (const [url, file] of Object.entries(PAGES)) {
    const text = readFileSync(new URL(file, FOLDER), 'utf8').replaceAll('http://localhost:4000', shopUrl)
    const [, title = 'Skein'] = /^# (.+)$/m.exec(text) ?? []
    const content = rendered(text)
    app.get(url, async (_request, reply) => {
      const nonce = randomBytes(16).toString('base64')
      return reply
        .type('text/html; charset=utf-8')
        .headers({
          'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
          'cache-control': 'no-cache',
        })
        .send(page(title, content, nonce))
    })
  }
  // A shop without introspection does not publish its schema here either.
  if (introspection) {
    let contract: string | undefined
    app.get('/schema.graphql', async (_request, reply) =>
      reply
        .type('application/graphql; charset=utf-8')
        .headers({
          'cache-control': 'public, max-age=300',
          'content-disposition': 'attachment; filename="schema.graphql"',
        })
        .send((contract ??= `${printSchema(schema)}\n`)),
    )
  }
  const overview = overviewOf(shopUrl, introspection)
  app.get('/llms.txt', async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=300').send(overview),
  )
}

function rendered(text: string): string {
  const reader = markdown()
  const others = reader.renderer.rules.link_open
  reader.renderer.rules.link_open = (tokens, index, options, env, self) => {
    const href = nth(tokens, index).attrGet('href')
    const [path] = Object.entries(PAGES).find(([, file]) => file === href) ?? []
    if (path) nth(tokens, index).attrSet('href', path)
    return others?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options)
  }
  reader.renderer.rules.heading_open = (tokens, index, options, _env, self) => {
    const words = tokens[index + 1]?.content.toLowerCase().replace(/[^a-z0-9 -]/g, '')
    nth(tokens, index).attrSet('id', words?.replaceAll(' ', '-') ?? '')
    return self.renderToken(tokens, index, options)
  }
  return reader.render(text).replaceAll('<pre>', '<pre tabindex="0">')
}

const page = (title: string, content: string, nonce: string) => `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · Skein</title><style nonce="${nonce}">${STYLE}</style></head>
<body>
<p><a href="/">The shop</a> · <a href="/docs">Guide</a> · <a href="/docs/recipes">Recipes</a> · <a href="/graphql">GraphQL explorer</a> · <a href="/api/docs">REST calls</a></p>
<main>
${content}
</main>
</body>
</html>`

/** For programs that read a shop, by the convention of llmstxt.org. */
const overviewOf = (shopUrl: string, introspection: boolean) => `# Skein

> An online shop for yarn, needles, hooks and knitting supplies. Prices are in ${currencyName()}; the API counts in whole cents. Everything the shop does can be done over GraphQL; the catalogue is open to everyone, orders need an email or an account.

- Whoever asks needs no cookie: a token goes in \`Authorization: Bearer …\`.
- An order is priced by the shop, its stock is taken when it is placed, and a person pays it with PayPal.
- Clients have a budget of points a minute, told in the \`RateLimit\` header; 429 says in \`Retry-After\` how long to wait.

## For programs

- [Partner guide](${shopUrl}/docs): from the first query to the first webhook, with code that runs
- [Recipes](${shopUrl}/docs/recipes): what apps, warehouses and other programs do, each as short as it gets
- [GraphQL](${shopUrl}/graphql): the API; POST \`{"query": "…"}\` as JSON
${introspection ? `- [Contract](${shopUrl}/schema.graphql): the whole GraphQL schema, every field described\n` : ''}- [REST calls](${shopUrl}/api/docs) and their [OpenAPI document](${shopUrl}/api/openapi.json), or a [Postman collection](${shopUrl}/api/postman.json)
- Agents that buy for people: the Universal Commerce Protocol, found by its [profile](${shopUrl}/.well-known/ucp), over MCP at ${shopUrl}/api/ucp/mcp and REST at ${shopUrl}/api/ucp
- [Product feed](${shopUrl}/feeds/products.tsv): everything on sale with price and availability, tab-separated, new every quarter of an hour

## For people

- [The shop](${shopUrl}/)
- [Best rated](${shopUrl}/top-rated)
- [All pages](${shopUrl}/sitemap.xml)
`
