import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ApolloLink } from '@apollo/client'
import { SchemaLink } from '@apollo/client/link/schema'
import serveStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { GraphQLSchema } from 'graphql'
import type { ViteDevServer } from 'vite'
import type { Currency } from '#schema/rules/currency'
import { nth, present } from '#schema/rules/present'
import { withoutCampaign } from './campaign.ts'
import { CSP_REPORTS, cspReports } from './csp-reports.ts'
import { forRobots } from './for-robots.ts'
import { FORM_BYTES, FORMS, isCart, isOwnForm, isPersonal } from './forms.ts'
import { KeptPage, type RenderedPage } from './kept-page.ts'
import { dataLink, type PageData } from './page-data.ts'
import { apology, Problem, sendProblem, sendThrown } from './problem.ts'
import { bytesOf, SharedCache } from './shared-cache.ts'
import type { ShopIcons } from './shop-icons.ts'
import { webManifest } from './web-manifest.ts'

export interface WebOptions {
  schema: GraphQLSchema
  /** The context of a visitor who is not signed in: pages are rendered for nobody in particular. */
  contextFor: () => Promise<object>
  /** The context of the sender of a form. */
  contextOf: (request: FastifyRequest) => Promise<object>
  /** A page is the same for every visitor, so one rendering serves all who ask for it within a moment. */
  pages: SharedCache<Page>
  /** What pages show, which many of them share. */
  data: PageData
  /** Public origin, for canonical addresses. */
  shopUrl: string
  /** Where the shop is reached. */
  contact: { email: string | null }
  /** What pages call the shop, and what it trades in. */
  shop: { name: string; tagline: string; currency: Currency }
  /** The shop's own icons, in place of the storefront's. */
  icons: ShopIcons
  /** Where the PayPal script is served from when it is not PayPal itself. */
  paypalOrigin: string | null
  /** Serves the browser side from source; what is built is served without it. */
  vite?: ViteDevServer | undefined
}

/** What storefront/entry-server.tsx exports; the only thing the API knows of the storefront. */
interface Storefront {
  render(
    request: Request,
    options: { link: ApolloLink; manifest: Manifest; shop: WebOptions['shop'] },
  ): Promise<RenderedPage | Redirect>
}
interface Manifest {
  entry: string
  preload(pages: string[]): string[]
}
type Redirect = { status: number; location: string; cookie: string | null }
type Page = KeptPage | Redirect

const FOR_AN_HOUR = 'public, max-age=3600'
const ENTRY = 'storefront/entry-client.tsx'
const sizeOfPage = (page: Page) => ('location' in page ? bytesOf(page.location) : page.size)

export const sharedPages = (keepMs: number) =>
  new SharedCache<Page>({ keepMs, bytes: 32 * 2 ** 20, largest: 2 ** 20, sizeOf: sizeOfPage })

/** Where programs and files are found. */
const NO_PAGES = /^\/(?:api|assets|graphql|images|uploads)(?:[/?]|$)/

/** An address with broken escapes leads to no page, and is answered by the one that says so. */
export function readable(url: string): string {
  try {
    decodeURIComponent(nth(url.split(/[?#]/), 0))
    return url
  } catch {
    return NO_PAGES.test(url) ? url : '/not-found'
  }
}

/** Pages of the storefront, rendered on the server, and the files they load. */
export async function web(app: FastifyInstance, options: WebOptions): Promise<void> {
  const { schema, contextFor, contextOf, pages, data, shopUrl, contact, shop, icons, paypalOrigin, vite } = options
  const { storefront, manifest } = vite ? fromSource(vite) : await fromBuild(app, icons)
  const policy = contentSecurityPolicy(paypalOrigin)

  const render = async (url: string, link: ApolloLink, init: RequestInit = {}): Promise<Page> => {
    const { render } = await storefront()
    // Put together as text: a path like //elsewhere would otherwise be read as another host.
    const request = new Request(shopUrl + url, init)
    const page = await render(request, { link, manifest, shop })
    return 'location' in page ? page : new KeptPage(page)
  }
  /** Each operation has its own context: one that reads from a replica keeps no other from the primary. */
  const linkFor = (context: () => Promise<object>) =>
    new SchemaLink({ schema, context: async () => ({ ...(await context()) }) })
  /** For the visitor who asks alone, with their cart and what they sent. */
  const renderFor = ({ method, url, headers, body }: FastifyRequest, context = contextFor) =>
    render(url, linkFor(context), {
      method,
      headers: {
        ...(headers.cookie && { cookie: headers.cookie }),
        ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(method === 'POST' && { body: (body as string | undefined) ?? '' }),
    })
  const keptPage = (url: string) =>
    pages.share(
      url,
      sources => render(url, dataLink(schema, data, contextFor, sources)),
      ({ status }) => status < 500,
    )
  const pageAt = async (url: string) => {
    if (vite) return render(url, linkFor(contextFor))
    const address = withoutCampaign(url)
    const page = await keptPage(address)
    // A redirect leads on with all that was asked for.
    return 'location' in page && address !== url ? keptPage(url) : page
  }

  await app.register(cspReports)

  await app.register(forRobots, { shopUrl, contact })

  app.get('/manifest.webmanifest', async (_request, reply) =>
    reply.type('application/manifest+json').send(JSON.stringify(webManifest(shop.name))),
  )

  // Pages come packed.
  app.get('/*', { compress: false }, async (request, reply) => {
    if (NO_PAGES.test(request.url)) return reply.callNotFound()
    // A whole address, or `*`, which browsers never ask for.
    if (!request.url.startsWith('/')) return reply.callNotFound()
    // HTML cannot hold a NUL, so no page can show one. Behind two slashes, a path would lead to another host.
    if (request.url.includes('%00')) return reply.redirect(request.url.replaceAll('%00', '').replace(/^[/\\]+/, '/'))
    return sendPage(request, reply, policy, () => (isPersonal(request) ? renderFor(request) : pageAt(request.url)))
  })

  // Browsers send forms as nothing else would: only here they are read.
  await app.register(async forms => {
    forms.setErrorHandler(sendThrown('page'))
    forms.removeAllContentTypeParsers()
    forms.addContentTypeParser<string>(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      async (_request: FastifyRequest, body: string) => body,
    )
    for (const path of FORMS) {
      forms.post(path, { compress: false }, async (request, reply) => {
        if (!isOwnForm(request))
          return sendProblem(
            reply,
            new Problem(403, 'FORBIDDEN', 'Forms are taken from pages of this shop alone.'),
            'page',
          )
        return sendPage(request, reply, policy, () => renderFor(request, () => contextOf(request)))
      })
    }
  })
}

type Policy = ReturnType<typeof contentSecurityPolicy>

async function sendPage(request: FastifyRequest, reply: FastifyReply, policy: Policy, pageFor: () => Promise<Page>) {
  try {
    const page = await pageFor()
    if ('location' in page) {
      if (page.cookie) void reply.header('set-cookie', page.cookie)
      // Not kept: a product that gets its old name back would send browsers round in a circle.
      return reply.header('cache-control', 'no-cache').redirect(page.location, page.status)
    }
    const { encoding, body } = await page.encodedFor(request.headers['accept-encoding'])
    const nonce = randomBytes(16).toString('base64')
    // Opened by a link that is as good as a password: no copy is kept, and no referrer is sent.
    const isLink = /^\/(?:(?:reset-password|verify-email)(?:[/?]|$)|(?:newsletter|bell)\/)/.test(request.url)
    return reply
      .code(page.status)
      .type('text/html; charset=utf-8')
      .headers({
        'content-security-policy': policy(page.hashes, nonce),
        // Where the page's script finds what PayPal's needs (storefront/payment/payment-nonce.ts).
        'server-timing': `nonce;desc="${nonce}"`,
        'reporting-endpoints': `csp="${CSP_REPORTS}"`,
        // PayPal's window reports back to the page that opened it.
        'cross-origin-opener-policy': 'same-origin-allow-popups',
        'cache-control': isLink || isPersonal(request) ? 'no-store' : 'no-cache',
        'referrer-policy': isLink ? 'no-referrer' : 'strict-origin-when-cross-origin',
        vary: [reply.getHeader('vary') ?? [], 'Accept-Encoding', isCart(request.url) ? 'Cookie' : []].flat().join(', '),
        ...(encoding && { 'content-encoding': encoding }),
        ...(page.status === 503 && { 'retry-after': '2' }),
      })
      .send(body)
  } catch (error) {
    request.log.error(error, 'Could not render a page')
    return sendProblem(reply, apology(request.id), 'page')
  }
}

async function fromBuild(app: FastifyInstance, icons: ShopIcons) {
  const client = new URL('../../dist/client/', import.meta.url)
  const server = new URL('../../dist/server/entry-server.js', import.meta.url)
  if (!existsSync(server)) throw new Error('The storefront is not built. Run `npm run build` first.')
  await app.register(serveStatic, {
    root: fileURLToPath(client),
    wildcard: false,
    globIgnore: ['**/.vite/**', '**/*.br', '**/*.gz', ...[...icons.keys()].map(address => `**${address}`)],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/')
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : FOR_AN_HOUR)
    },
  })
  for (const [address, { type, body }] of icons)
    app.get(address, async (_request, reply) => reply.type(type).header('cache-control', FOR_AN_HOUR).send(body))
  const loaded = (await import(server.href)) as Storefront
  return { storefront: async () => loaded, manifest: readManifest(new URL('.vite/manifest.json', client)) }
}

/**
 * Vite serves the browser side from source and reloads it. Its files come before whatever may turn a request away: one
 * page asks for hundreds of them, and is dead when one is missing.
 */
export async function openVite(app: FastifyInstance): Promise<ViteDevServer> {
  const { createServer } = await import('vite')
  const vite = await createServer({ appType: 'custom', server: { middlewareMode: true, hmr: { server: app.server } } })
  app.addHook('onRequest', (request, reply, done) => vite.middlewares(request.raw, reply.raw, () => done()))
  // Before the server waits for its connections: pages keep one to Vite open.
  app.addHook('preClose', () => vite.close())
  return vite
}

function fromSource(vite: ViteDevServer) {
  return {
    storefront: async () => (await vite.ssrLoadModule('/storefront/entry-server.tsx')) as Storefront,
    manifest: { entry: `/${ENTRY}`, preload: () => [] },
  }
}

export function readManifest(file: URL): Manifest {
  const chunks = JSON.parse(readFileSync(file, 'utf8')) as Record<string, { file: string; imports?: string[] }>
  const collect = (key: string, files: Set<string>) => {
    const chunk = chunks[key]
    const file = `/${chunk?.file}`
    if (!chunk || files.has(file)) return files
    files.add(file)
    for (const imported of chunk.imports ?? []) collect(imported, files)
    // Behind what it imports.
    files.delete(file)
    return files.add(file)
  }
  return {
    entry: `/${present(chunks[ENTRY]).file}`,
    preload: pages => [...[...pages, ENTRY].reduce((files, key) => collect(key, files), new Set<string>())],
  }
}

/** The hash of nothing: styled-components fills a style element that it puts in empty, rule by rule from its script. */
const EMPTY = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"

/**
 * Of what stands in a page only what the storefront wrote may run or apply, known by its hash; of other scripts, the
 * shop's own files and the payment provider's. The nonce is for what the provider's script puts into the page.
 */
function contentSecurityPolicy(paypalOrigin: string | null) {
  const paypal = paypalOrigin ?? 'https://*.paypal.com https://*.paypalobjects.com https://*.venmo.com'
  return ({ scripts, styles }: KeptPage['hashes'], nonce: string) =>
    [
      "default-src 'self'",
      `script-src 'self' ${scripts.join(' ')} 'nonce-${nonce}' ${paypal}`,
      `style-src 'self' ${styles.join(' ')} ${EMPTY} 'nonce-${nonce}'`,
      "img-src 'self' data: https:",
      `connect-src 'self' ${paypal}`,
      `frame-src ${paypal}`,
      "worker-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      `report-uri ${CSP_REPORTS}`,
      'report-to csp',
    ].join('; ')
}
