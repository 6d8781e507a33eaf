import type { RouteObject } from 'react-router-dom'
import { NotFound } from './ErrorPage.tsx'

type Pages = typeof import('./admin-pages.ts')

/** The pages behind /admin, for the route that guards them. */
export const adminRoutes: RouteObject[] = [
  {
    ...lazily('AdminLayout'),
    children: [
      { index: true, ...lazily('DashboardPage') },
      { path: 'orders', ...lazily('OrdersPage') },
      // One route for all pages of the list: what is selected stays selected from page to page.
      { path: 'products', ...lazily('ProductsPage'), children: [{ index: true, element: null }, { path: 'page/:pageNumber', element: null }] },
      { path: 'products/import', ...lazily('ImportPage') },
      { path: 'product/:id/edit', ...lazily('ProductEditPage') },
      { path: 'users', ...lazily('UsersPage') },
      { path: 'user/:id/edit', ...lazily('UserEditPage') },
      { path: 'reviews', ...lazily('ReviewsPage') },
      { path: 'partners', ...lazily('ApiKeysPage') },
      { path: 'audit', ...lazily('AuditPage') },
      { path: '*', Component: NotFound },
    ],
  },
]

function lazily(name: keyof Pages): Pick<RouteObject, 'handle' | 'lazy'> {
  return {
    handle: 'storefront/app/admin-pages.ts',
    lazy: async () => {
      const pages = await import('./admin-pages.ts')
      return { Component: pages[name] }
    },
  }
}
