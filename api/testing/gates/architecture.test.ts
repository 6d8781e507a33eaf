import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, test } from 'vitest'

// Reads the import statements of the whole repository and holds them against docs and DESIGN: who may import whom.

const root = fileURLToPath(new URL('../../..', import.meta.url))
const NOT_OURS = new Set(['node_modules', 'dist', '.git', '.data', 'test-results', 'playwright-report'])

interface Import {
  from: string
  /** A file of ours, relative to the root, or the name of a package. */
  to: string
  ours: boolean
  typeOnly: boolean
  dynamic: boolean
}

function walk(folder: string): { files: string[]; folders: string[] } {
  const found = { files: [] as string[], folders: [] as string[] }
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (NOT_OURS.has(entry.name)) continue
    if (!entry.isDirectory()) found.files.push(path)
    else {
      const inner = walk(path)
      found.folders.push(path, ...inner.folders)
      found.files.push(...inner.files)
    }
  }
  return found
}

const STATIC = /^(?:import|export)\s+(type\s+)?([\w*$\s{},]+?)\s+from\s+['"]([^'"]+)['"]/gm
const BARE = /^import\s+['"]([^'"]+)['"]/gm
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

function importsOf(source: string): { specifier: string; typeOnly: boolean; dynamic: boolean }[] {
  const onlyTypes = (names: string) =>
    names.startsWith('{') &&
    names
      .replace(/[{}]/g, '')
      .split(',')
      .filter(name => name.trim())
      .every(name => /^\s*type\s/.test(name))
  return [
    ...[...source.matchAll(STATIC)].map(([, type, names, specifier]) => ({
      specifier: specifier!,
      typeOnly: Boolean(type) || onlyTypes(names!.trim()),
      dynamic: false,
    })),
    ...[...source.matchAll(BARE)].map(([, specifier]) => ({ specifier: specifier!, typeOnly: false, dynamic: false })),
    ...[...source.matchAll(DYNAMIC)].map(([, specifier]) => ({
      specifier: specifier!,
      typeOnly: false,
      dynamic: true,
    })),
  ]
}

const { files, folders } = ['schema', 'api', 'storefront', 'tools']
  .map(walk)
  .reduce((all, each) => ({ files: [...all.files, ...each.files], folders: [...all.folders, ...each.folders] }))
// This file quotes imports that are none.
const code = files.filter(file => /\.tsx?$/.test(file) && file !== 'api/testing/gates/architecture.test.ts')
const known = new Set(code)

function resolve(from: string, specifier: string): { to: string; ours: boolean } {
  const path = specifier.replace(/\?.*$/, '')
  if (path.startsWith('#schema/')) return { to: `schema/${path.slice(8)}.ts`, ours: true }
  if (!path.startsWith('.')) return { to: path, ours: false }
  const target = join(dirname(from), path)
  return { to: [target, `${target}.ts`, `${target}.tsx`].find(file => known.has(file)) ?? target, ours: true }
}

const imports: Import[] = code.flatMap(from =>
  importsOf(readFileSync(join(root, from), 'utf8')).map(({ specifier, typeOnly, dynamic }) => ({
    from,
    typeOnly,
    dynamic,
    ...resolve(from, specifier),
  })),
)

const show = (found: Import[]) => found.map(({ from, to }) => `${from} -> ${to}`)
const isTest = (file: string) => /\.test\.tsx?$/.test(file) || /(^|\/)(testing|e2e)\//.test(file)
const inside =
  (...zones: string[]) =>
  (file: string) =>
    zones.some(zone => file === zone || file.startsWith(`${zone}/`))
const from = (zone: (file: string) => boolean) => imports.filter(each => zone(each.from))
const ours = (each: Import) => each.ours

describe('reading imports', () => {
  test.each([
    [`import { a, type B } from './a.ts'`, './a.ts', false, false],
    [`import type { B } from './b.ts'`, './b.ts', true, false],
    [`import { type A, type B } from './b.ts'`, './b.ts', true, false],
    [`import * as all from '#schema/rules/money'`, '#schema/rules/money', false, false],
    [`import {\n  one,\n  two,\n} from './two.ts'`, './two.ts', false, false],
    [`export { a } from './a.ts'`, './a.ts', false, false],
    [`import 'reflect-metadata'`, 'reflect-metadata', false, false],
    [`const page = () => import('./Page.tsx')`, './Page.tsx', false, true],
  ])('%j', (source, specifier, typeOnly, dynamic) => {
    expect(importsOf(source)).toEqual([{ specifier, typeOnly, dynamic }])
  })

  it('finds no import where there is none', () => {
    expect(
      importsOf(`export const from = 'x'\n// import { a } from './a.ts'\nexport function f() { return 'import' }`),
    ).toEqual([])
  })

  it('finds the files of ours that imports name', () => {
    expect(imports.length).toBeGreaterThan(200)
    const generated = inside('api/generated', 'storefront/generated')
    const lost = imports.filter(
      each =>
        each.ours &&
        /\.tsx?$/.test(each.to) &&
        !known.has(each.to) &&
        !generated(each.to) &&
        !each.to.endsWith('.gql.ts'),
    )
    expect(show(lost)).toEqual([])
  })
})

describe('the contract', () => {
  it('imports nothing but itself, and zod for its shapes', () => {
    const found = from(inside('schema')).filter(
      ({ from, to }) =>
        !inside('schema')(to) &&
        !(isTest(from) && ['vitest', 'fast-check'].includes(to)) &&
        !(inside('schema/rules/shapes')(from) && to === 'zod'),
    )
    expect(show(found)).toEqual([])
  })
})

/** What every domain may build on. */
const FOUNDATION = ['kernel', 'query', 'http', 'graphql', 'live', 'event', 'jobs', 'mail'].map(name => `api/${name}`)
/** What puts the shop together, and what runs or tests it as a whole. */
const COMPOSITION = ['main.ts', 'server.ts', 'schema.ts', 'cli', 'db', 'rest', 'testing'].map(name => `api/${name}`)
const DOMAINS = folders
  .filter(folder => /^api\/[^/]+$/.test(folder))
  .filter(folder => !inside(...FOUNDATION, ...COMPOSITION, 'api/generated')(folder))
const domainOf = (file: string) => DOMAINS.find(domain => file.startsWith(`${domain}/`))

describe('the API', () => {
  it('has the domains of the contract', () => {
    expect(DOMAINS).toEqual(
      expect.arrayContaining(
        ['account', 'catalog', 'newsletter', 'order', 'payment', 'review'].map(name => `api/${name}`),
      ),
    )
  })

  it('has nothing loose beside what puts it together', () => {
    const loose = files.filter(file => /^api\/[^/]+$/.test(file) && !isTest(file))
    expect(loose.toSorted()).toEqual([
      'api/context.ts',
      'api/main.ts',
      'api/schema.ts',
      'api/server.ts',
      'api/tsconfig.json',
    ])
  })

  it('writes in one place what a refused request is answered', () => {
    const written = /\.send\(\{\s*(?:message|errors)\b|<h1>Skein<\/h1>/
    const writers = code.filter(file => inside('api')(file) && !isTest(file))
    expect(writers.filter(file => written.test(readFileSync(join(root, file), 'utf8')))).toEqual([
      'api/http/problem.ts',
    ])
  })

  // The sample catalogue has a past, with dates of its own.
  test.each([
    [
      'stock and its ledger',
      /insert into stock_movements|set [^\n`]*\bcount_in_stock = /,
      'api/catalog/stock.ts',
      'api/db/seed/seed.ts',
    ],
    ['the audit log', /insert into audit_entries|create\(AuditEntry\b/, 'api/audit/record-audit.ts'],
  ])('has one writer of %s', (_what, written, ...writers) => {
    const found = code.filter(file => inside('api')(file) && !isTest(file) && !inside('api/db/migrations')(file))
    expect(found.filter(file => written.test(readFileSync(join(root, file), 'utf8')))).toEqual(writers)
  })

  it('no domain imports the resolver of another one', () => {
    expect(
      show(
        imports.filter(
          each => each.to.endsWith('.resolver.ts') && domainOf(each.from) && domainOf(each.from) !== domainOf(each.to),
        ),
      ),
    ).toEqual([])
  })

  it('domains import rules, what all build on and each other, and nothing that puts the shop together', () => {
    expect(
      show(imports.filter(each => domainOf(each.from) && !isTest(each.from) && inside(...COMPOSITION)(each.to))),
    ).toEqual([])
  })

  it('what all build on imports no domain, but for types', () => {
    const found = from(inside(...FOUNDATION, 'api/context.ts')).filter(
      each => !isTest(each.from) && domainOf(each.to) && !each.typeOnly,
    )
    expect(show(found)).toEqual([])
  })

  it('takes the time from the database’s clock', () => {
    // Files’ times and the counters of tries are those of this machine.
    const own = inside(
      'api/kernel/clock.ts',
      'api/cli/backup.ts',
      'api/catalog/uploads.ts',
      'api/catalog/product-feed.ts',
      'api/account/throttle.ts',
      'api/db/seed',
    )
    const asking = code
      .filter(file => inside('api')(file) && !isTest(file) && !own(file))
      .filter(file => /new Date\(\)|Date\.now\(\)/.test(readFileSync(join(root, file), 'utf8')))
    expect(asking).toEqual([])
  })

  it('one file alone knows PayPal’s simulator: main.ts, which starts it', () => {
    const found = imports.filter(
      each =>
        inside('tools/paypal-simulator')(each.to) && !inside('tools/paypal-simulator')(each.from) && !isTest(each.from),
    )
    expect(show(found)).toEqual(['api/main.ts -> tools/paypal-simulator/simulator.ts'])
  })
})

describe('the storefront', () => {
  it('and the API never import each other', () => {
    expect(
      show(
        imports.filter(
          each =>
            (inside('api')(each.from) && inside('storefront')(each.to)) ||
            (inside('storefront')(each.from) && inside('api')(each.to)),
        ),
      ),
    ).toEqual([])
  })

  it('has a theme that imports nothing else of ours', () => {
    expect(
      show(
        from(inside('storefront/theme'))
          .filter(ours)
          .filter(each => !inside('storefront/theme')(each.to)),
      ),
    ).toEqual([])
  })

  it('has a kit that imports the theme, rules and libraries, and knows neither Apollo nor the contract', () => {
    const kit = from(inside('storefront/ui')).filter(each => !isTest(each.from))
    expect(
      show(kit.filter(ours).filter(each => !inside('storefront/ui', 'storefront/theme', 'schema/rules')(each.to))),
    ).toEqual([])
    expect(show(kit.filter(each => /^@apollo\/|^graphql/.test(each.to)))).toEqual([])
  })

  // Shoppers never download it. The order page loads its panel, and the routes their one file of pages, when an administrator asks.
  it('loads the admin only when it is asked for: whatever lies outside of it imports it lazily', () => {
    const admin = (file: string) => /^storefront\/.*\badmin\//.test(file)
    const entry = 'storefront/app/admin-pages.ts'
    const found = imports.filter(each => !admin(each.from) && !isTest(each.from) && !each.typeOnly)
    expect(show(found.filter(each => admin(each.to) && each.from !== entry && !each.dynamic))).toEqual([])
    expect(show(found.filter(each => each.to === entry && !each.dynamic))).toEqual([])
  })
})

describe('everywhere', () => {
  it('files that run one another never do so in a circle', () => {
    const edges = new Map<string, string[]>()
    for (const each of imports)
      if (each.ours && !each.typeOnly && !each.dynamic) edges.set(each.from, [...(edges.get(each.from) ?? []), each.to])
    const circles: string[] = []
    const done = new Set<string>()
    function visit(file: string, path: string[]) {
      if (path.includes(file)) return void circles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
      if (done.has(file)) return
      for (const next of edges.get(file) ?? []) visit(next, [...path, file])
      done.add(file)
    }
    for (const file of code) visit(file, [])
    expect(circles).toEqual([])
  })

  it('there are no barrels', () => {
    expect(code.filter(file => /(^|\/)index\.tsx?$/.test(file))).toEqual([])
  })

  it('documents name files and scenarios that there are', () => {
    const documents = ['README.md', ...globSync('docs/**/*.md', { cwd: root })]
      .map(file => readFileSync(join(root, file), 'utf8'))
      .join('\n')
    const files = [...documents.matchAll(/`((?:api|docs|schema|storefront|tools)\/[\w./-]+\.\w+)`/g)].map(
      ([, file]) => file!,
    )
    expect(files.length).toBeGreaterThan(60)
    expect([...new Set(files)].filter(file => !existsSync(join(root, file)))).toEqual([])
    const scenarios = [...documents.matchAll(/faults `(\w+)`/g)].map(([, name]) => name!)
    expect([...new Set(scenarios)].filter(name => !existsSync(join(root, `api/testing/faults/${name}.ts`)))).toEqual([])
  })

  it('every folder is in the tree of the architecture', () => {
    const tree = readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8').split('```')[1]!
    const named = new Set([...tree.matchAll(/(?<=^| )([\w-]+)\//gm)].map(([, name]) => name!))
    // Of the storefront's domains, admin/ is said once for all.
    expect(folders.filter(folder => !named.has(folder.split('/').at(-1)!))).toEqual([])
  })

  it('a folder is named for what it is about', () => {
    expect(
      folders.filter(folder =>
        /(^|\/)(src|utils?|helpers?|services?|common|shared|types|hooks|misc|lib)$/.test(relative('.', folder)),
      ),
    ).toEqual([])
  })
})
