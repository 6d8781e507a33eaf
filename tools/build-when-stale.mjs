// `npm start`: builds what is missing, or has sources that have changed since. The API alone takes a second.
// `node tools/build-when-stale.mjs api` is for the API's tests: whatever storefront was built last will do for them.
import { spawnSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const EVERY_PART = ['schema/**/*', 'vite.config.ts', 'package-lock.json']
const PARTS = {
  storefront: {
    script: 'build',
    madeOf: [...EVERY_PART, 'storefront/**/*', 'api/graphql/**/*', 'codegen.ts'],
    made: [
      'dist/client/.vite/manifest.json',
      'dist/server/entry-server.js',
      'dist/client/assets/explorer/.vite/manifest.json',
      'dist/client/service-worker.js',
    ],
  },
  api: { script: 'build:api', madeOf: [...EVERY_PART, 'api/**/*', 'tools/**/*'], made: ['dist/api/main.js'] },
}
/** Written only when it changes. */
const GENERATED = 'api/generated/types.ts'
/** Files that the build itself writes, or that are not part of what is served. */
const ASIDE = /(?:^|\/)generated\/|\.gql\.ts$|\.test\.tsx?$|\/(?:e2e|testing)\//

const changed = file => statSync(file, { throwIfNoEntry: false })?.mtimeMs

const isMissing = ({ made }) => [...made, GENERATED].some(file => !changed(file))

const isStale = ({ madeOf, made }) => {
  if (isMissing({ made })) return true
  const oldest = Math.min(...made.map(changed))
  const sources = globSync(madeOf).filter(file => !ASIDE.test(file) && statSync(file).isFile())
  return sources.some(file => changed(file) > oldest)
}

const { storefront, api } = PARTS
const isStorefrontWanted = process.argv[2] === 'api' ? isMissing : isStale
// The storefront's script builds the API as well.
const stale = isStorefrontWanted(storefront) ? storefront : isStale(api) && api
if (stale) {
  console.log('Building the shop …')
  const { status } = spawnSync('npm', ['run', '--silent', stale.script], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  process.exit(status ?? 1)
}
