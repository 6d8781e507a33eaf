import type { ApolloClient } from '@apollo/client'
import type { ComponentType } from 'react'
import {
  type ActionFunction,
  type LoaderFunction,
  type LoaderFunctionArgs,
  redirect,
  type RouteObject,
} from 'react-router-dom'
import { RequireAdmin, RequireBuyer, RequireOrderAccess, RequireSession } from '../account/guards.tsx'
import { limits } from '#schema/rules/limits'
import { SHOP_PAGES } from '#schema/rules/shop-pages'
import { SUPPLY_SHELVES } from '#schema/rules/shelves'
import { paths } from '../paths.ts'
import { adminRoutes } from './admin-routes.tsx'
import { ErrorPage, NotFound } from './ErrorPage.tsx'
import { Root, rootLoader } from './Root.tsx'
import { ShopLayout } from './ShopLayout.tsx'

/**
 * A page: the component, and a loader if it is rendered on the server. The loader fills the Apollo cache and returns
 * null, with a status where it is not 200; the component reads the same query with useSuspenseQuery. Pages behind a sign-in have no loader: they are
 * private, so they fetch in the browser.
 */
interface PageModule {
  default: ComponentType
  loader?: ((client: ApolloClient) => LoaderFunction) | undefined
  /** What its forms do without our script. Only on the server. */
  action?: ((client: ApolloClient) => ActionFunction) | undefined
}

/** `file` is the page's key in the build manifest: its chunks are announced in the head. */
type MakePage = (path: string, file: string, load: () => Promise<PageModule>) => RouteObject

/** The addresses of SPEC §2; paths.ts makes the same ones. The browser has one client for all of them, the server one for each page. */
export function createRoutes(clientOf: (args: LoaderFunctionArgs) => ApolloClient): RouteObject[] {
  const withClient = (make: ((client: ApolloClient) => LoaderFunction) | undefined): LoaderFunction | undefined =>
    make && (args => make(clientOf(args))(args))
  const page: MakePage = (path, file, load) => ({
    path,
    handle: `storefront/${file}`,
    lazy: async () => {
      const { default: Component, loader, action } = await load()
      return { Component, loader: withClient(loader), action: withClient(action) }
    },
  })
  const homePage = (path: string) => page(path, 'catalog/HomePage.tsx', () => import('../catalog/HomePage.tsx'))
  const topRatedPage = (path: string) =>
    page(path, 'catalog/TopRatedPage.tsx', () => import('../catalog/TopRatedPage.tsx'))
  const shelfPage = (path: string) => page(path, 'catalog/ShelfPage.tsx', () => import('../catalog/ShelfPage.tsx'))
  const orderPage = (path: string) => page(path, 'order/OrderPage.tsx', () => import('../order/OrderPage.tsx'))

  return [
    {
      Component: Root,
      loader: withClient(rootLoader),
      shouldRevalidate: () => false,
      ErrorBoundary: ErrorInLayout,
      HydrateFallback: () => null,
      children: [
        {
          // A layer of its own, so that an error leaves header and footer standing.
          ErrorBoundary: ErrorPage,
          children: [
            homePage('/'),
            homePage('page/:pageNumber'),
            homePage('search/:keyword'),
            homePage('search/:keyword/page/:pageNumber'),
            { path: 'search', loader: searchForm(paths.search, paths.home()) },
            topRatedPage('top-rated'),
            topRatedPage('top-rated/page/:pageNumber'),
            topRatedPage('top-rated/search/:keyword'),
            topRatedPage('top-rated/search/:keyword/page/:pageNumber'),
            { path: 'top-rated/search', loader: searchForm(paths.topRatedSearch, paths.topRated()) },
            ...['yarn', 'yarn/:part', ...SUPPLY_SHELVES.map(({ path }) => path.slice(1))].flatMap(path => [
              shelfPage(path),
              shelfPage(`${path}/page/:pageNumber`),
            ]),
            page('collections', 'collection/CollectionsPage.tsx', () => import('../collection/CollectionsPage.tsx')),
            page(
              'collections/:slug',
              'collection/CollectionPage.tsx',
              () => import('../collection/CollectionPage.tsx'),
            ),
            page('product/:id/:slug?', 'catalog/ProductPage.tsx', () => import('../catalog/ProductPage.tsx')),
            ...SHOP_PAGES.map(({ slug }) => page(slug, 'page/ShopPage.tsx', () => import('../page/ShopPage.tsx'))),
            page('cart', 'cart/CartPage.tsx', () => import('../cart/CartPage.tsx')),
            page('login', 'account/LoginPage.tsx', () => import('../account/LoginPage.tsx')),
            page('signing-in', 'account/SigningInPage.tsx', () => import('../account/SigningInPage.tsx')),
            page('register', 'account/RegisterPage.tsx', () => import('../account/RegisterPage.tsx')),
            page(
              'forgot-password',
              'account/ForgotPasswordPage.tsx',
              () => import('../account/ForgotPasswordPage.tsx'),
            ),
            ...pagesOfLetters(page),
            page('newsletter', 'newsletter/NewsletterPage.tsx', () => import('../newsletter/NewsletterPage.tsx')),
            {
              Component: RequireBuyer,
              children: [
                page('shipping', 'checkout/ShippingPage.tsx', () => import('../checkout/ShippingPage.tsx')),
                page('place-order', 'checkout/PlaceOrderPage.tsx', () => import('../checkout/PlaceOrderPage.tsx')),
              ],
            },
            { Component: RequireOrderAccess, children: [orderPage('order/:id')] },
            {
              Component: RequireSession,
              children: [
                page('stash', 'stash/StashPage.tsx', () => import('../stash/StashPage.tsx')),
                orderPage('order'),
                page('profile', 'account/ProfilePage.tsx', () => import('../account/ProfilePage.tsx')),
                page('profile/addresses', 'address/AddressesPage.tsx', () => import('../address/AddressesPage.tsx')),
                page('profile/downloads', 'download/DownloadsPage.tsx', () => import('../download/DownloadsPage.tsx')),
              ],
            },
            {
              // The admin's pages plug in here, all in one chunk that shoppers never load.
              path: 'admin',
              Component: RequireAdmin,
              children: adminRoutes,
            },
            { path: '*', Component: NotFound, loader: notFound },
          ],
        },
      ],
    },
  ]
}

/** Where links in letters lead. */
const pagesOfLetters = (page: MakePage): RouteObject[] => [
  page('reset-password', 'account/ResetPasswordPage.tsx', () => import('../account/ResetPasswordPage.tsx')),
  page('verify-email', 'account/VerifyEmailPage.tsx', () => import('../account/VerifyEmailPage.tsx')),
  page(
    'newsletter/confirm',
    'newsletter/ConfirmNewsletterPage.tsx',
    () => import('../newsletter/ConfirmNewsletterPage.tsx'),
  ),
  page('newsletter/unsubscribe', 'newsletter/UnsubscribePage.tsx', () => import('../newsletter/UnsubscribePage.tsx')),
  page('bell/confirm', 'bell/ConfirmBellPage.tsx', () => import('../bell/ConfirmBellPage.tsx')),
  page('bell/stop', 'bell/StopBellsPage.tsx', () => import('../bell/StopBellsPage.tsx')),
]

/** Shown when even the code that all pages share could not be loaded. */
function ErrorInLayout() {
  return (
    <ShopLayout>
      <ErrorPage />
    </ShopLayout>
  )
}

/** Where the search box leads as a plain form. */
const searchForm =
  (found: (keyword: string) => string, nothingTyped: string): LoaderFunction =>
  ({ request }) => {
    const keyword = new URL(request.url).searchParams.get('keyword')?.trim().slice(0, limits.keyword)
    return redirect(keyword ? found(keyword) : nothingTyped)
  }

function notFound(): never {
  throw new Response(null, { status: 404 })
}
