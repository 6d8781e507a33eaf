import { Suspense, use } from 'react'
import type { RouteObject } from 'react-router-dom'
import { PageLoading } from '../account/PageLoading.tsx'
import { NotFound, NotLoaded } from './ErrorPage.tsx'

type Pages = typeof import('./admin-pages.ts')

let loading: Promise<Pages | null> | undefined
const load = () => (loading ??= import('./admin-pages.ts').catch(() => null))

/** Loaded by the page itself, not by its route: the router would fetch a route's code before its guard has run. */
const lazily = (name: keyof Pages) =>
  function Lazy() {
    const Page = use(load())?.[name] ?? NotLoaded
    return <Page />
  }

const AdminLayout = lazily('AdminLayout')

/** The pages behind /admin, for the route that guards them. */
export const adminRoutes: RouteObject[] = [
  {
    element: (
      <Suspense fallback={<PageLoading />}>
        <AdminLayout />
      </Suspense>
    ),
    children: [
      { index: true, Component: lazily('DashboardPage') },
      { path: 'orders', Component: lazily('OrdersPage') },
      { path: 'orders/new', Component: lazily('NewOrderPage') },
      // One route for all pages of the list: what is selected stays selected from page to page.
      {
        path: 'products',
        Component: lazily('ProductsPage'),
        children: [
          { index: true, element: null },
          { path: 'page/:pageNumber', element: null },
        ],
      },
      { path: 'products/import', Component: lazily('ImportPage') },
      { path: 'products/collections', Component: lazily('CollectionsPage') },
      { path: 'products/collections/:id', Component: lazily('CollectionEditPage') },
      { path: 'product/:id/edit', Component: lazily('ProductEditPage') },
      { path: 'users', Component: lazily('UsersPage') },
      { path: 'user/:id/edit', Component: lazily('UserEditPage') },
      { path: 'reviews', Component: lazily('ReviewsPage') },
      { path: 'searches', Component: lazily('SearchesPage') },
      { path: 'codes', Component: lazily('CodesPage') },
      { path: 'gift-cards', Component: lazily('GiftCardsPage') },
      { path: 'taxes', Component: lazily('TaxesPage') },
      { path: 'pages', Component: lazily('PagesPage') },
      { path: 'partners', Component: lazily('ApiKeysPage') },
      { path: 'partners/webhooks', Component: lazily('WebhooksPage') },
      { path: 'partners/webhooks/:id', Component: lazily('WebhookPage') },
      { path: 'partners/exports', Component: lazily('ExportsPage') },
      { path: 'audit', Component: lazily('AuditPage') },
      { path: '*', Component: NotFound },
    ],
  },
]
