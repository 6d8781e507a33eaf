import type { ApolloLink } from '@apollo/client'
import type { ReactNode } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import { createStaticHandler, createStaticRouter, isRouteErrorResponse, StaticRouterProvider } from 'react-router-dom'
import type { Currency } from '#schema/rules/currency'
import { tradeIn } from '#schema/rules/money'
import { ServerStyleSheet } from 'styled-components'
import { setImmediate as nextRound } from 'node:timers/promises'
import { beginScript, programsTag } from './app/begin.ts'
import { Document } from './app/Document.tsx'
import { keepFor } from './app/fragments.tsx'
import { EARLY_SCRIPT } from './app/hear-early.ts'
import { KnownStyles } from './app/known-styles.tsx'
import { PageSink } from './app/page-sink.ts'
import { createRoutes } from './app/routes.tsx'
import { CART_SCRIPT } from './cart/presumed.ts'
import { isUnavailable, messageOf } from './data/errors.ts'
import { pageStateScript } from './data/page-state.ts'
import { ServerClient } from './data/server-client.ts'
import { fontPreloads } from './theme/fonts.ts'
import { globalCss } from './theme/global-css.ts'
import { THEME_SCRIPT } from './theme/mode.ts'
import { UNITS_SCRIPT } from './theme/units.ts'
import { KeepContext } from './ui/Kept.tsx'

/** What api/http/web.ts hands in; it declares the same shape on its side. */
interface RenderOptions {
  /** Executes GraphQL as a visitor who is not signed in. */
  link: ApolloLink
  /** What the shop is called, what it says of itself, and what it trades in. */
  shop: { name: string; tagline: string; currency: Currency }
  manifest: {
    /** Address of the module that starts the browser side. */
    entry: string
    /** Addresses of the modules needed at the start and by these pages (each the `handle` of its route), each after those it imports. */
    preload(pages: string[]): string[]
  }
}

type Rendered =
  | {
      status: number
      html: Buffer
      /** The exact text of the inline scripts and styles that the content security policy has to allow. */
      inline: { scripts: string[]; styles: string[] }
    }
  | {
      status: number
      location: string
      /** The `set-cookie` header that goes with the redirect. */
      cookie: string | null
    }

const RENDER_TIMEOUT_MS = 10_000

/** Shared by all requests: the loaders load into the client of their own request. */
const handler = createStaticHandler(createRoutes(({ context }) => context as ServerClient))

let lastTurn: Promise<unknown> = Promise.resolve()

/**
 * Resolves in a round of the event loop in which no other page is begun. A page keeps the processor to itself while it is
 * rendered: whatever else was asked for would wait for all that are rendered in the same round.
 */
const turn = () => (lastTurn = lastTurn.then(() => nextRound()))

/** Renders a page with its data, the same for every visitor; personal data is added in the browser. */
export async function render(request: Request, { link, manifest, shop }: RenderOptions): Promise<Rendered> {
  tradeIn(shop.currency)
  const client = new ServerClient(link)
  const context = await handler.query(request, { requestContext: client })
  if (context instanceof Response) {
    const { status, headers } = context
    return { status, location: headers.get('location') ?? '/', cookie: headers.get('set-cookie') }
  }

  const status = Object.values(context.errors ?? {}).some(isUnavailable) ? 503 : context.statusCode
  context.errors =
    context.errors && Object.fromEntries(Object.entries(context.errors).map(([id, error]) => [id, plainError(error)]))
  const { origin } = new URL(request.url)
  const modules = manifest.preload(
    context.matches.flatMap(({ route }) => (typeof route.handle === 'string' ? route.handle : [])),
  )
  const router = createStaticRouter(handler.dataRoutes, context)
  const sheet = new ServerStyleSheet()

  await turn()
  const page = await toHtml(
    sheet.collectStyles(
      <KnownStyles>
        <KeepContext value={keepFor(sheet)}>
          <Document client={client} shop={{ origin, ...shop }}>
            <StaticRouterProvider router={router} context={context} hydrate={false} />
          </Document>
        </KeepContext>
      </KnownStyles>,
    ),
  )
  const { loaderData, actionData, errors } = context
  const state = pageStateScript({
    shop: { origin, ...shop },
    apollo: client.extract(),
    router: { loaderData, actionData, errors },
  })
  const script = `${THEME_SCRIPT};${UNITS_SCRIPT};${CART_SCRIPT};${EARLY_SCRIPT};${beginScript(manifest.entry)}`
  const styleTag = sheet.getStyleTags()
  sheet.seal()
  // The pictures in view, which React announces at the top, go first.
  const html = page.insertBefore(
    '</head>',
    `${fontPreloads}${programsTag(modules)}<script>${script}</script>`,
    styleTag,
    state,
  )
  return { status, html, inline: { scripts: [script], styles: [globalCss, contentOf(styleTag)] } }
}

const contentOf = (element: string) => element.slice(element.indexOf('>') + 1, element.lastIndexOf('</'))

function toHtml(page: ReactNode): Promise<PageSink> {
  return new Promise((resolve, reject) => {
    const sink = new PageSink(() => {
      clearTimeout(late)
      resolve(sink)
    })
    const { pipe, abort } = renderToPipeableStream(page, {
      // The page is sent as a whole, so React must not hold parts back and move them into place with a script.
      progressiveChunkSize: Infinity,
      onAllReady: () => pipe(sink),
      onShellError: reject,
      onError: error => console.error('rendering failed', error),
    })
    // Cleared when the page is done: while it runs, this timer keeps the whole rendering in memory.
    const late = setTimeout(abort, RENDER_TIMEOUT_MS, new Error('took too long')).unref()
  })
}

/** An error as both sides can show it: a response as the router knows it, or a message fit for people. */
function plainError(error: unknown): unknown {
  if (isRouteErrorResponse(error))
    return { status: error.status, statusText: error.statusText, internal: true, data: null }
  if (!isUnavailable(error)) console.error('loading failed', error)
  return { message: messageOf(error) }
}
