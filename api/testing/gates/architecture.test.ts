import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, test } from 'vitest'
import { lastOf, nth, present } from '#schema/rules/present'

// Where code belongs. Who may import whom is checked by .dependency-cruiser.mjs, and that no imports go in a circle by .oxlintrc.json.

const root = fileURLToPath(new URL('../../..', import.meta.url))
const NOT_OURS = new Set(['node_modules', 'dist', '.git', '.data', 'test-results', 'playwright-report'])

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

const { files, folders } = ['schema', 'api', 'storefront', 'tools']
  .map(walk)
  .reduce((all, each) => ({ files: [...all.files, ...each.files], folders: [...all.folders, ...each.folders] }))
const code = files.filter(file => /\.tsx?$/.test(file))

const isTest = (file: string) => /\.test\.tsx?$/.test(file) || /(^|\/)(testing|e2e)\//.test(file)
const inside =
  (...zones: string[]) =>
  (file: string) =>
    zones.some(zone => file === zone || file.startsWith(`${zone}/`))

describe('the API', () => {
  it('has nothing loose beside what puts it together', () => {
    const loose = files.filter(file => /^api\/[^/]+$/.test(file) && !isTest(file))
    expect(loose.toSorted()).toEqual([
      'api/context.ts',
      'api/main.ts',
      'api/open-shop.ts',
      'api/schema.ts',
      'api/server.ts',
      'api/tsconfig.json',
    ])
  })

  it('writes in one place what a refused request is answered', () => {
    const written = /\.send\(\{\s*(?:message|errors)\b|<h1>Sorry<\/h1>/
    const writers = code.filter(file => inside('api')(file) && !isTest(file))
    expect(writers.filter(file => written.test(readFileSync(join(root, file), 'utf8')))).toEqual([
      'api/http/problem.ts',
    ])
  })

  // The sample catalogue writes a history, with dates of its own.
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

  it('takes the time from the database’s clock', () => {
    // The dates of files and the counters of attempts follow this machine's clock.
    const own = inside(
      'api/kernel/clock.ts',
      'api/cli/backup.ts',
      'api/kernel/files.ts',
      'api/catalog/uploads.ts',
      'api/catalog/product-feed.ts',
      'api/download/download-files.ts',
      'api/account/throttle.ts',
      'api/db/seed',
    )
    const asking = code
      .filter(file => inside('api')(file) && !isTest(file) && !own(file))
      .filter(file => /new Date\(\)|Date\.now\(\)/.test(readFileSync(join(root, file), 'utf8')))
    expect(asking).toEqual([])
  })
})

describe('everywhere', () => {
  it('there are no barrels', () => {
    expect(code.filter(file => /(^|\/)index\.tsx?$/.test(file))).toEqual([])
  })

  it('documents name files and scenarios that there are', () => {
    const documents = ['README.md', ...globSync('docs/**/*.md', { cwd: root })]
      .map(file => readFileSync(join(root, file), 'utf8'))
      .join('\n')
    const files = [...documents.matchAll(/`((?:api|docs|schema|storefront|tools)\/[\w./-]+\.\w+)`/g)].map(([, file]) =>
      present(file),
    )
    expect(files.length).toBeGreaterThan(60)
    expect([...new Set(files)].filter(file => !existsSync(join(root, file)))).toEqual([])
    const scenarios = [...documents.matchAll(/faults `(\w+)`/g)].map(([, name]) => present(name))
    expect([...new Set(scenarios)].filter(name => !existsSync(join(root, `api/testing/faults/${name}.ts`)))).toEqual([])
  })

  it('every folder is in the tree of the architecture', () => {
    const tree = nth(readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8').split('```'), 1)
    const named = new Set([...tree.matchAll(/(?<=^| )([\w-]+)\//gm)].map(([, name]) => present(name)))
    // Of the storefront's domains, admin/ is named once for all of them.
    expect(folders.filter(folder => !named.has(lastOf(folder.split('/'))))).toEqual([])
  })

  it('a folder is named for what it is about', () => {
    expect(
      folders.filter(folder =>
        /(^|\/)(src|utils?|helpers?|services?|common|shared|types|hooks|misc|lib)$/.test(relative('.', folder)),
      ),
    ).toEqual([])
  })
})

describe('what people read', () => {
  // The rule is for texts, not for comments.
  const words = (file: string) =>
    readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
  const sources = code.filter(
    file =>
      inside('storefront', 'schema', 'api')(file) &&
      !isTest(file) &&
      !/generated\/|\.gql\.ts$|\/migrations\//.test(file),
  )
  const found = (what: RegExp) =>
    sources.flatMap(file => [...words(file).matchAll(what)].map(([match]) => `${file}: ${match}`))

  it('has curly apostrophes, except where the spec’s words have straight ones', () => {
    expect(found(/\p{L}+'(?:s|t|re|ve|ll|d|m)\b/gu)).toEqual([
      // A maker's text, as people type it.
      "schema/rules/facts/care.ts: don't",
      "storefront/catalog/TopRatedPage.tsx: You'll",
      "storefront/newsletter/Letter.tsx: You're",
    ])
  })
})
