import type { ShopPageSlug } from '#schema/rules/shop-pages'
import { slugBehind } from '#schema/rules/slug'

/** Every URL of the shop. Links are made here and nowhere else; app/routes.tsx lists the same addresses as patterns. */
export const paths = {
  home: (page = 1) => (page > 1 ? `/page/${page}` : '/'),
  newsletter: () => '/#newsletter',
  /** Where the newsletter form leads without our script. */
  newsletterForm: () => '/newsletter',
  search: (keyword: string, page = 1) => `/search/${segment(keyword)}${pageSuffix(page)}`,
  /** `path` is that of a shelf: /yarn/dk. */
  shelf: (path: string, page = 1) => path + pageSuffix(page),
  collections: () => '/collections',
  collection: (slug: string) => `/collections/${segment(slug)}`,
  topRated: (page = 1) => `/top-rated${pageSuffix(page)}`,
  topRatedSearch: (keyword: string, page = 1) => `/top-rated/search/${segment(keyword)}${pageSuffix(page)}`,
  /** The name at the end is for people who read addresses: the id alone leads there, too. */
  product: (id: string, name: string) => `/product/${segment(id)}${slugBehind(name)}`,
  /** A product's page with a dye lot chosen. */
  lot: (id: string, name: string, code: string) => `${paths.product(id, name)}?lot=${encodeURIComponent(code)}`,

  /** About the shop: /privacy. */
  shopPage: (slug: ShopPageSlug) => `/${slug}`,

  cart: () => '/cart',
  login: (redirect?: string) => withRedirect('/login', redirect),
  /** The way into the checkout without an account. */
  guest: (redirect: string) => `${withRedirect('/login', redirect)}&guest=`,
  /** Leads on to Apple or Google for signing in; loads a document. */
  provider: (provider: 'APPLE' | 'GOOGLE', redirect?: string) =>
    withRedirect(`/api/sign-in/${provider.toLowerCase()}`, redirect),
  /** Where Apple and Google send people back to. */
  signingIn: () => '/signing-in',
  register: (redirect?: string) => withRedirect('/register', redirect),
  forgotPassword: (redirect?: string) => withRedirect('/forgot-password', redirect),
  /** The mail's link adds its token behind a `#`. */
  resetPassword: () => '/reset-password',
  /** Its mail's link adds a token behind a `#`, too. */
  verifyEmail: () => '/verify-email',
  /** The mails' links to these four add a token behind a `#`, too. */
  confirmNewsletter: () => '/newsletter/confirm',
  unsubscribe: () => '/newsletter/unsubscribe',
  confirmBell: () => '/bell/confirm',
  stopBells: () => '/bell/stop',
  shipping: () => '/shipping',
  placeOrder: () => '/place-order',
  stash: () => '/stash',
  order: (id: string) => `/order/${segment(id)}`,
  /** `redirect` leads back to the page that asked for a second factor. */
  profile: (redirect?: string) => withRedirect('/profile', redirect),
  addresses: () => '/profile/addresses',
  downloads: () => '/profile/downloads',

  admin: () => '/admin',
  adminOrders: () => '/admin/orders',
  adminNewOrder: (email?: string) => `/admin/orders/new${email ? `?email=${encodeURIComponent(email)}` : ''}`,
  adminProducts: (page = 1) => `/admin/products${pageSuffix(page)}`,
  adminProduct: (id: string) => `/admin/product/${segment(id)}/edit`,
  /** `new` is the form for another one. */
  adminCollections: (id = '') => `/admin/products/collections${id && `/${id}`}`,
  adminUsers: () => '/admin/users',
  adminUser: (id: string) => `/admin/user/${segment(id)}/edit`,
  adminImport: (id?: string) => `/admin/products/import${id ? `?import=${encodeURIComponent(id)}` : ''}`,
  adminReviews: (productId?: string) => `/admin/reviews${productId ? `?product=${encodeURIComponent(productId)}` : ''}`,
  adminSearches: () => '/admin/searches',
  adminCodes: () => '/admin/codes',
  adminGiftCards: () => '/admin/gift-cards',
  adminTaxes: () => '/admin/taxes',
  adminPages: (slug?: string) => `/admin/pages${slug ? `?page=${encodeURIComponent(slug)}` : ''}`,
  adminPartners: () => '/admin/partners',
  adminWebhooks: () => '/admin/partners/webhooks',
  adminWebhook: (id: string, deliveryId?: string) =>
    `/admin/partners/webhooks/${segment(id)}${deliveryId ? `?delivery=${encodeURIComponent(deliveryId)}` : ''}`,
  adminExports: () => '/admin/partners/exports',
  adminAudit: () => '/admin/audit',

  /** The picture other sites show with a link to a product. They keep it for weeks: a new price gets a new address. */
  shareProduct: (id: string, price: number) => `/share/product.jpg?id=${encodeURIComponent(id)}&price=${price}`,
  /** The picture other sites show with a link to a page, such as `/yarn/dk`. */
  sharePage: (path: string) => `/share/page.jpg?path=${encodeURIComponent(path)}`,

  // The API's own pages, which the server makes; links to them load a document.
  explorer: () => '/graphql',
  restDocs: () => '/api/docs',
  guide: () => '/docs',
}

/** Pages for people who are not signed in: they never lead to signing in, and signing in never leads back to them. */
const isEntrance = (pathname: string) =>
  ['/login', '/register', '/forgot-password', '/reset-password'].includes(pathname)

/** Pages for administrators. */
export const isAdminPath = (pathname: string) => /^\/admin(\/|$)/.test(pathname)

const HERE = 'http://shop.invalid'

/**
 * Where to go after signing in: the path that `redirect` names on this site, or `/` for anything that would lead
 * elsewhere. A missing leading slash is added. SPEC §2.
 */
export function safeRedirect(redirect: string | null | undefined): string {
  if (!redirect || /[\\\u0000-\u001f\u007f]/.test(redirect) || /^\s*[a-z][a-z0-9+.-]*:/i.test(redirect)) return '/'
  let target: URL
  try {
    target = new URL(redirect.startsWith('/') ? redirect : `/${redirect}`, HERE)
  } catch {
    return '/'
  }
  // Only without its dots does `/..//elsewhere` show that it leads to another site.
  if (target.origin !== HERE || target.pathname.startsWith('//')) return '/'
  if (isEntrance(target.pathname)) return '/'
  return target.pathname + target.search + target.hash
}

function pageSuffix(page: number): string {
  return page > 1 ? `/page/${page}` : ''
}

function withRedirect(path: string, redirect?: string): string {
  return redirect && redirect !== '/' ? `${path}?redirect=${encodeURIComponent(redirect)}` : path
}

/** Any text as one segment of a path. */
function segment(text: string): string {
  // Half a surrogate pair cannot be encoded. `.` and `..` would be read as steps in the path; a blank prevents that.
  const encoded = encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
  return /^\.\.?$/.test(encoded) ? `${encoded}%20` : encoded
}
