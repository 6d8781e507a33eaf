// Who may import whom. `npm run lint` holds everyone to it; docs/ARCHITECTURE.md tells it in words.

const TESTS = ['\\.test\\.tsx?$', '(^|/)(testing|e2e)/']
const PACKAGES = '(^|/)node_modules/'
/** What every domain may build on. */
const FOUNDATION = '^api/(?:(?:kernel|query|http|graphql|live|event|jobs|mail)/|context\\.ts$)'
/** What puts the shop together, and what runs or tests it as a whole. */
const COMPOSITION = '^api/(?:(?:main|open-shop|server|schema)\\.ts$|(?:server|cli|db|rest|testing)/)'
const DOMAIN =
  '^api/(?!(?:kernel|query|http|graphql|live|event|jobs|mail|server|cli|db|rest|testing|generated)/)([^/]+)/'
const ADMIN = '^storefront/.*\\badmin/'
const ADMIN_PAGES = '^storefront/app/admin-pages\\.ts$'

const rule = (name, from, to) => ({ name, severity: 'error', from, to })
/** Runs at once what it imports: neither its types alone nor later, when it is asked for. */
const atOnce = { dynamic: false, dependencyTypesNot: ['type-only'] }

export default {
  forbidden: [
    rule(
      'the contract imports nothing but itself',
      { path: '^schema/', pathNot: [...TESTS, '^schema/rules/shapes/'] },
      { pathNot: '^schema/' },
    ),
    rule(
      'the shapes of the contract are zod’s',
      { path: '^schema/rules/shapes/', pathNot: TESTS },
      { pathNot: ['^schema/', '(^|/)node_modules/zod/'] },
    ),
    rule(
      'tests of the contract import the contract',
      { path: '^schema/.*\\.test\\.ts$' },
      { pathNot: ['^schema/', '(^|/)node_modules/(?:vitest|fast-check|zod)/'] },
    ),
    rule(
      'no domain imports the resolver of another one',
      { path: DOMAIN },
      { path: '\\.resolver\\.ts$', pathNot: '^api/$1/' },
    ),
    rule('no domain imports what puts the shop together', { path: DOMAIN, pathNot: TESTS }, { path: COMPOSITION }),
    rule(
      'what all build on imports no domain, but for types',
      { path: FOUNDATION, pathNot: TESTS },
      { path: DOMAIN, dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'what starts the shop alone knows PayPal’s simulator',
      { pathNot: [...TESTS, '^tools/paypal-simulator/', '^api/(?:main|open-shop)\\.ts$'] },
      { path: '^tools/paypal-simulator/' },
    ),
    rule('the API imports nothing of the storefront', { path: '^api/' }, { path: '^storefront/' }),
    rule('the storefront imports nothing of the API', { path: '^storefront/' }, { path: '^api/' }),
    rule(
      'the theme imports nothing of ours',
      { path: '^storefront/theme/' },
      { pathNot: ['^storefront/theme/', PACKAGES] },
    ),
    rule(
      'the kit imports the theme, rules and libraries',
      { path: '^storefront/ui/', pathNot: TESTS },
      { pathNot: ['^storefront/(?:ui|theme)/', '^schema/rules/', PACKAGES] },
    ),
    rule(
      'the kit knows neither Apollo nor the contract',
      { path: '^storefront/ui/', pathNot: TESTS },
      { path: '(^|/)node_modules/(?:@apollo/|graphql)' },
    ),
    // Shoppers never download it. The order page loads its panel, and the routes their one file of pages, when an administrator asks.
    rule(
      'the admin is loaded when it is asked for',
      { path: '^storefront/', pathNot: [...TESTS, ADMIN, ADMIN_PAGES] },
      { path: ADMIN, ...atOnce },
    ),
    rule(
      'the admin’s pages are loaded when they are asked for',
      { pathNot: [...TESTS, ADMIN] },
      { path: ADMIN_PAGES, ...atOnce },
    ),
    rule(
      'everything imported is there',
      { pathNot: '(^|/)generated/|\\.gql\\.ts$' },
      { couldNotResolve: true, pathNot: '(^|/)generated/|\\.gql\\.ts$|\\?|^virtual:' },
    ),
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    skipAnalysisNotInRules: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      // Some packages are types alone.
      mainFields: ['module', 'main', 'types', 'typings'],
    },
  },
}
