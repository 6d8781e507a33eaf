// `npm start`: builds the storefront when there is no build, or something it is made of has changed since.
import { spawnSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const MADE_OF = [
  'schema/**/*',
  'storefront/**/*',
  'api/graphql/**/*',
  'vite.config.ts',
  'codegen.ts',
  'package-lock.json',
]
const MADE = [
  'dist/client/.vite/manifest.json',
  'dist/server/entry-server.js',
  'dist/client/assets/explorer/.vite/manifest.json',
  'dist/client/service-worker.js',
]
/** Written only when it changes. */
const GENERATED = 'api/generated/types.ts'
/** Written by the build itself, or no part of what is served. */
const ASIDE = /(?:^|\/)generated\/|\.gql\.ts$|\.test\.tsx?$|\/(?:e2e|testing)\//

const changed = file => statSync(file, { throwIfNoEntry: false })?.mtimeMs
const sources = globSync(MADE_OF).filter(file => !ASIDE.test(file) && statSync(file).isFile())
const oldest = Math.min(...MADE.map(file => changed(file) ?? 0))

if (!changed(GENERATED) || sources.some(file => changed(file) > oldest)) {
  console.log('Building the storefront …')
  process.exit(
    spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit', shell: process.platform === 'win32' }).status ??
      1,
  )
}
