// @vitest-environment node
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'

// In a small shop of its own, whose `npm run build` only notes that it ran.

const SCRIPT = 'storefront/build-when-stale.mjs'
const BUILT = [
  'dist/client/.vite/manifest.json',
  'dist/server/entry-server.js',
  'dist/client/assets/explorer/.vite/manifest.json',
  'dist/client/service-worker.js',
  'api/generated/types.ts',
]
const SOURCES = [
  'schema/catalogue.graphql',
  'schema/rules/money.ts',
  'storefront/app/App.tsx',
  'storefront/public/favicon.svg',
  'api/graphql/safelist-plugin.mjs',
  'vite.config.ts',
  'codegen.ts',
  'package-lock.json',
]
const ASIDE = [
  'storefront/app/App.test.tsx',
  'storefront/app/App.gql.ts',
  'storefront/generated/types.ts',
  'storefront/e2e/cart.e2e.ts',
  'storefront/testing/setup.ts',
  'api/server.ts',
  'README.md',
]
const BEFORE = new Date('2026-01-01T10:00:00Z')
const BUILD = new Date('2026-01-01T11:00:00Z')
const AFTER = new Date('2026-01-01T12:00:00Z')

let shop: string
beforeEach(() => {
  shop = mkdtempSync(join(tmpdir(), 'skein-stale-'))
  const build = `node -e "require('fs').writeFileSync('built', '')"`
  writeFileSync(join(shop, 'package.json'), JSON.stringify({ scripts: { build } }))
  for (const path of [...SOURCES, ...ASIDE]) write(path, BEFORE)
  for (const path of BUILT) write(path, BUILD)
  cpSync(SCRIPT, join(shop, SCRIPT))
  utimesSync(join(shop, SCRIPT), BEFORE, BEFORE)
})
afterEach(() => rmSync(shop, { recursive: true, force: true }))

function write(path: string, changed: Date) {
  const file = join(shop, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '')
  utimesSync(file, changed, changed)
}
function start() {
  const { status } = spawnSync(process.execPath, [SCRIPT], { cwd: shop })
  return { status, built: existsSync(join(shop, 'built')) }
}

describe('npm start', () => {
  it('asks first whether the storefront has to be built', () => {
    expect(JSON.parse(readFileSync('package.json', 'utf8')).scripts.prestart).toBe(`node ${SCRIPT}`)
  })

  it('builds nothing when nothing has changed since', () => {
    expect(start()).toEqual({ status: 0, built: false })
  })

  test.each(SOURCES)('builds when %s has changed since', path => {
    write(path, AFTER)
    expect(start()).toEqual({ status: 0, built: true })
  })

  test.each(BUILT)('builds when %s is missing', path => {
    rmSync(join(shop, path))
    expect(start()).toEqual({ status: 0, built: true })
  })

  it('builds nothing for what is no part of what is served', () => {
    for (const path of ASIDE) write(path, AFTER)
    expect(start()).toEqual({ status: 0, built: false })
  })

  it('starts no shop whose build failed', () => {
    rmSync(join(shop, BUILT[0]!))
    writeFileSync(join(shop, 'package.json'), JSON.stringify({ scripts: { build: 'exit 3' } }))
    expect(start().status).not.toBe(0)
  })
})
