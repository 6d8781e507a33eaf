import { nth, present } from '#schema/rules/present'
/** The API document, as far as the page shows it. */
export interface OpenApi {
  openapi: string
  info: { description: string }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Pick<Operation, 'description' | 'requestBody'> }>
  components: { schemas: Record<string, unknown> }
}

interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: { name: string; in: 'path' | 'query' | 'header'; description: string; example?: unknown }[]
  requestBody?: { content: Record<string, { schema: unknown; example?: unknown }> }
  responses: Record<string, { description: string; content: Record<string, { schema: unknown }> }>
}

const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#2b2320, #efe8e2); --quiet: light-dark(#6b5f58, #b7aaa1); --line: light-dark(#ddd3ca, #4a403a); --paper: light-dark(#fbf8f4, #211c19); --code: light-dark(#f2ece5, #2c2622) }
body { font: 1rem/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 56rem; margin: 0 auto; padding: 2rem 1rem 6rem }
h1 { font-family: Georgia, serif; margin-bottom: 0 } h2 { margin-top: 3rem; text-transform: capitalize } a { color: inherit }
details { border-top: 1px solid var(--line); padding: .6rem 0 } details:target { background: var(--code) }
summary { cursor: pointer } summary code { font-weight: 600 } .quiet, dt { color: var(--quiet) }
pre { background: var(--code); padding: .8rem 1rem; overflow: auto; font-size: .875rem; border-radius: .4rem } table { border-collapse: collapse; width: 100% }
th, td { text-align: start; vertical-align: top; padding: .25rem .75rem .25rem 0 } th { color: var(--quiet); font-weight: 400 }`

const html = (text: unknown) => String(text).replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`)
const pretty = (value: unknown) => `<pre tabindex="0"><code>${html(JSON.stringify(value, null, 2))}</code></pre>`

/** The document for people. */
export function docsPage(document: OpenApi, nonce: string): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const sections = document.tags.map(
    ({ name }) => `<h2>${html(name)}</h2>
${operations
  .filter(({ operation }) => operation.tags.includes(name))
  .map(({ method, path, operation }) => section(method, path, operation, nth(document.servers, 0).url))
  .join('\n')}`,
  )
  const events = Object.entries(document.webhooks).map(
    ([type, { post }]) =>
      `<details id="${html(type)}"><summary><code>${html(type)}</code></summary><p>${html(post.description)}</p>${pretty(present(present(post.requestBody).content['application/json']).schema)}</details>`,
  )
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<details id="${html(name)}"><summary><code>${html(name)}</code></summary>${pretty(schema)}</details>`,
  )
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>REST calls · Skein</title><style nonce="${nonce}">${STYLE}</style></head>
<body>
<main>
<h1>Skein over REST</h1>
<p>${html(document.info.description)} The same for programs: <a href="/api/openapi.json">OpenAPI ${html(document.openapi)}</a>, or a <a href="/api/postman.json">Postman collection</a>. How to begin, in order: the <a href="/docs">partner guide</a>.</p>
${sections.join('\n')}
<h2>Webhooks</h2>
<p>What an address of yours is sent, as the <a href="/docs">guide</a> tells. Money is in cents.</p>
${events.join('\n')}
<h2>Answers</h2>
${schemas.join('\n')}
</main>
</body>
</html>`
}

function section(method: string, path: string, operation: Operation, origin: string): string {
  const [type, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  return `<details id="${html(operation.operationId)}">
<summary><code>${method} ${html(path)}</code> <span class="quiet">${html(operation.summary)}</span></summary>
<p>${html(operation.description)}</p>
${operation.parameters ? `<table><thead><tr><th scope="col">Parameter</th><th scope="col">In</th><th scope="col">Meaning</th></tr></thead><tbody>${operation.parameters.map(row).join('')}</tbody></table>` : ''}
${body ? `<p>Body, <code>${html(type)}</code>:</p>${pretty(body.schema)}` : ''}
<p>Example:</p><pre tabindex="0"><code>${html(curl(method, path, operation, origin))}</code></pre>
<table><thead><tr><th scope="col">Status</th><th scope="col">Meaning</th><th scope="col">Answer</th></tr></thead><tbody>${Object.entries(
    operation.responses,
  )
    .map(
      ([status, { description, content }]) =>
        `<tr><td>${html(status)}</td><td>${html(description)}</td><td>${answer(present(content['application/json']).schema)}</td></tr>`,
    )
    .join('')}</tbody></table>
</details>`
}

const row = ({ name, in: place, description }: NonNullable<Operation['parameters']>[number]) =>
  `<tr><td><code>${html(name)}</code></td><td>${place}</td><td>${html(description)}</td></tr>`

function answer(schema: unknown): string {
  return (
    [...JSON.stringify(schema).matchAll(/schemas\/(\w+)/g)]
      .map(([, name]) => `<a href="#${name}">${name}</a>`)
      .join(' or ') + (JSON.stringify(schema).includes('"array"') ? ' (list)' : '')
  )
}

function curl(
  method: string,
  path: string,
  { parameters = [], requestBody, security }: Operation,
  origin: string,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
    String(present(parameters.find(each => each.name === name)).example),
  )
  const example = requestBody?.content['application/json']?.example
  return [
    `curl -X ${method} '${origin}${filled}'`,
    ...(security.length > 0 ? [`-H 'Authorization: Bearer YOUR_TOKEN'`] : []),
    ...(example ? [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(example)}'`] : []),
    ...(requestBody?.content['multipart/form-data'] ? [`-F image=@picture.jpg`] : []),
  ].join(' \\\n  ')
}
