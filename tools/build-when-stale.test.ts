import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { nth } from '#schema/rules/present'

// The tests run in a small separate shop, whose scripts only note that they ran.

const SCRIPT = 'tools/build-when-stale.mjs'
const API = 'dist/api/main.js'
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
const SOURCES_OF_API = ['api/server.ts', 'tools/paypal-simulator/store.ts']
const ASIDE = [
  'storefront/app/App.test.tsx',
  'storefront/app/App.gql.ts',
  'storefront/generated/types.ts',
  'storefront/e2e/cart.e2e.ts',
  'storefront/testing/setup.ts',
  'api/server.test.ts',
  'api/testing/shop.ts',
  'README.md',
]
const BEFORE = new Date('2026-01-01T10:00:00Z')
const BUILD = new Date('2026-01-01T11:00:00Z')
const AFTER = new Date('2026-01-01T12:00:00Z')

let shop: string
beforeEach(() => {
  shop = mkdtempSync(join(tmpdir(), 'skein-stale-'))
  const notes = (what: string) => `node -e "require('fs').writeFileSync('built', '${what}')"`
  const scripts = { build: notes('all of it'), 'build:api': notes('the API') }
  writeFileSync(join(shop, 'package.json'), JSON.stringify({ scripts }))
  for (const path of [...SOURCES, ...SOURCES_OF_API, ...ASIDE]) write(path, BEFORE)
  for (const path of [...BUILT, API]) write(path, BUILD)
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
function start(...parts: string[]) {
  const { status } = spawnSync(process.execPath, [SCRIPT, ...parts], { cwd: shop })
  const note = join(shop, 'built')
  return { status, built: existsSync(note) ? readFileSync(note, 'utf8') : null }
}

describe('npm start', () => {
  it('asks first whether something has to be built', () => {
    expect(JSON.parse(readFileSync('package.json', 'utf8')).scripts.prestart).toBe(`node ${SCRIPT}`)
  })

  it('builds nothing when nothing has changed since', () => {
    expect(start()).toEqual({ status: 0, built: null })
  })

  test.each(SOURCES)('builds when %s has changed since', path => {
    write(path, AFTER)
    expect(start()).toEqual({ status: 0, built: 'all of it' })
  })

  test.each(BUILT)('builds when %s is missing', path => {
    rmSync(join(shop, path))
    expect(start()).toEqual({ status: 0, built: 'all of it' })
  })

  test.each([...SOURCES_OF_API, API])('builds the API alone for %s', path => {
    if (path === API) rmSync(join(shop, path))
    else write(path, AFTER)
    expect(start()).toEqual({ status: 0, built: 'the API' })
    rmSync(join(shop, 'built'))
    expect(start('api')).toEqual({ status: 0, built: 'the API' })
  })

  it('builds nothing for what is no part of what is served', () => {
    for (const path of ASIDE) write(path, AFTER)
    expect(start()).toEqual({ status: 0, built: null })
  })

  it('starts no shop whose build failed', () => {
    rmSync(join(shop, nth(BUILT, 0)))
    writeFileSync(join(shop, 'package.json'), JSON.stringify({ scripts: { build: 'exit 3' } }))
    expect(start().status).not.toBe(0)
  })
})

describe('tests of the API', () => {
  it('do with the storefront that was built last', () => {
    write('schema/catalogue.graphql', AFTER)
    expect(start('api')).toEqual({ status: 0, built: 'the API' })
  })

  test.each(BUILT)('build all of it when %s is missing', path => {
    rmSync(join(shop, path))
    expect(start('api')).toEqual({ status: 0, built: 'all of it' })
  })
})

describe('what is built', () => {
  test.each(['development', 'test'])('is there to be served, though the shell says NODE_ENV=%s', shell => {
    const built = join(shop, 'built')
    const { status } = spawnSync(
      process.execPath,
      ['node_modules/vite/bin/vite.js', 'build', '--mode', 'api', '--logLevel', 'warn', '--outDir', built],
      { env: { ...process.env, NODE_ENV: shell } },
    )
    expect(status).toBe(0)
    const code = readdirSync(built)
      .filter(file => file.endsWith('.js'))
      .map(file => readFileSync(join(built, file), 'utf8'))
    expect(code.some(text => text.includes('_jsx_runtime'))).toBe(true)
    // Mails rendered with it fail: the production React they are built with has no such function.
    expect(code.filter(text => text.includes('jsxDEV'))).toEqual([])
  })
})
