import { expect, test } from 'vitest'
import { paths, safeRedirect } from './paths.ts'

test('every address of the shop', () => {
  const id = '0199-a'
  expect({
    home: paths.home(),
    homePage: paths.home(2),
    newsletter: paths.newsletter(),
    search: paths.search('merino'),
    searchPage: paths.search('merino', 3),
    topRated: paths.topRated(),
    topRatedPage: paths.topRated(2),
    topRatedSearch: paths.topRatedSearch('merino'),
    topRatedSearchPage: paths.topRatedSearch('merino', 2),
    product: paths.product(id),
    cart: paths.cart(),
    login: paths.login(),
    loginRedirect: paths.login('shipping'),
    registerRedirect: paths.register('/order/1?a=b#c'),
    shipping: paths.shipping(),
    placeOrder: paths.placeOrder(),
    order: paths.order(id),
    profile: paths.profile(),
    admin: paths.admin(),
    adminOrders: paths.adminOrders(),
    adminProducts: paths.adminProducts(),
    adminProductsPage: paths.adminProducts(2),
    adminProduct: paths.adminProduct(id),
    adminUsers: paths.adminUsers(),
    adminUser: paths.adminUser(id),
    adminPartners: paths.adminPartners(),
    explorer: paths.explorer(),
    restDocs: paths.restDocs(),
  }).toMatchInlineSnapshot(`
    {
      "admin": "/admin",
      "adminOrders": "/admin/orders",
      "adminPartners": "/admin/partners",
      "adminProduct": "/admin/product/0199-a/edit",
      "adminProducts": "/admin/products",
      "adminProductsPage": "/admin/products/page/2",
      "adminUser": "/admin/user/0199-a/edit",
      "adminUsers": "/admin/users",
      "cart": "/cart",
      "explorer": "/graphql",
      "home": "/",
      "homePage": "/page/2",
      "login": "/login",
      "loginRedirect": "/login?redirect=shipping",
      "newsletter": "/#newsletter",
      "order": "/order/0199-a",
      "placeOrder": "/place-order",
      "product": "/product/0199-a",
      "profile": "/profile",
      "registerRedirect": "/register?redirect=%2Forder%2F1%3Fa%3Db%23c",
      "restDocs": "/api/docs",
      "search": "/search/merino",
      "searchPage": "/search/merino/page/3",
      "shipping": "/shipping",
      "topRated": "/top-rated",
      "topRatedPage": "/top-rated/page/2",
      "topRatedSearch": "/top-rated/search/merino",
      "topRatedSearchPage": "/top-rated/search/merino/page/2",
    }
  `)
})

test.each([
  ['100% wool', '/search/100%25%20wool'],
  ['a/b', '/search/a%2Fb'],
  ['..', '/search/..%20'],
  ['.', '/search/.%20'],
  ['\ud83e\uddf6', '/search/%F0%9F%A7%B6'],
  ['\ud83e', '/search/%EF%BF%BD'],
  ['?#&', '/search/%3F%23%26'],
])('the keyword %j is one segment of the path', (keyword, path) => {
  expect(paths.search(keyword)).toBe(path)
  expect(new URL(path, 'http://localhost').pathname).toBe(path)
})

test.each([
  ['shipping', '/shipping'],
  ['/shipping', '/shipping'],
  ['/order/1?a=b#c', '/order/1?a=b#c'],
  ['product/1', '/product/1'],
  [null, '/'],
  ['', '/'],
  ['/', '/'],
  ['/login', '/'],
  ['register?redirect=x', '/'],
  ['//evil.example', '/'],
  ['///evil.example', '/'],
  ['/\\evil.example', '/'],
  ['\\\\evil.example', '/'],
  ['/..//evil.example', '/'],
  ['.//evil.example', '/'],
  ['https://evil.example', '/'],
  ['https:evil.example', '/'],
  ['HTTPS:evil.example', '/'],
  [' https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['data:text/html,x', '/'],
  ['/\t/evil.example', '/'],
  ['java\nscript:alert(1)', '/'],
  ['/\u0000', '/'],
])('after signing in, %j leads to %s', (redirect, path) => {
  expect(safeRedirect(redirect)).toBe(path)
})
