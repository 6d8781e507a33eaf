import react from '@vitejs/plugin-react'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import {
  defaultClientConditions,
  defineConfig,
  type BuildOptions,
  type ConfigEnv,
  type Plugin,
  type Rolldown,
  type UserConfig,
} from 'vite'

/** What every page needs and what seldom changes, in one chunk, which compresses better than several. */
const VENDOR =
  /[\\/]data[\\/]print\.ts$|preload-helper|rolldown[\\/]runtime|node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom|cookie|@apollo|@wry|optimism|rxjs|graphql|styled-components|stylis|@emotion|tslib)[\\/]/

/**
 * The shop's own modules, except the entry, which waits for pages that may import the others, what is for
 * administrators, and the shapes of forms, which pull in zod.
 */
const OWN = /[\\/](storefront|schema)[\\/](?!entry-|.*(admin|shape))/i

/** Pages of the shop by what people do there. */
const KINDS: Record<string, RegExp> = {
  browse: /[\\/](Home|Shelf|TopRated|Collections?)Page\.tsx$/,
  product: /[\\/]ProductPage\.tsx$/,
  buy: /[\\/](Cart|Shipping|PlaceOrder|Order)Page\.tsx$/,
  account: /[\\/](Login|Register|Profile|Shop)Page\.tsx$/,
}
type Graph = Pick<Rolldown.PluginContext, 'getModuleInfo'>

/**
 * The file for a module that several pages need: one for all kinds of pages and for each kind or two of them, because
 * a few files compress better than thirty tiny ones. `kinds` is how many kinds have to need it, 3 standing for more.
 */
function fileOf(id: string, graph: Graph, kinds: number): string | null {
  const importers = importersOf(id, graph)
  if (importers.some(importer => /entry-client/.test(importer))) return 'shop'
  const pages = importers.filter(importer => Object.values(KINDS).some(kind => kind.test(importer)))
  const needing = Object.keys(KINDS).filter(kind => pages.some(page => KINDS[kind]?.test(page)))
  if (pages.length < 2 || needing.length < kinds) return null
  return needing.length > 2 ? 'shop' : needing.join('-')
}

/** The module and all that load it when they are loaded. */
function importersOf(id: string, graph: Graph): string[] {
  const found = new Set([id])
  for (const each of found) for (const importer of graph.getModuleInfo(each)?.importers ?? []) found.add(importer)
  return [...found]
}

/** Code in packages that no page of the shop uses, with the code that replaces it. */
const LEFT_OUT: Record<string, string> = {
  // Browsers that run the shop need no prefixes; styled-components does not ask for them.
  'stylis/src/Prefixer.js': 'export const prefix = value => value',
  // The client masks no data.
  '@apollo/client/masking/maskOperation.js': 'export const maskOperation = data => data',
  '@apollo/client/masking/maskFragment.js': 'export const maskFragment = data => data',
  // Operations name no directives of the client, are not deferred or streamed, and were checked when they were generated.
  '@apollo/client/utilities/internal/checkDocument.js': 'export const checkDocument = () => {}',
  '@apollo/client/utilities/internal/hasForcedResolvers.js': 'export const hasForcedResolvers = () => false',
  '@apollo/client/utilities/internal/isDeferredFragment.js': 'export const isDeferredFragment = () => false',
  '@apollo/client/utilities/internal/isStreamField.js': 'export const isStreamField = () => false',
  '@apollo/client/utilities/internal/removeDirectivesFromDocument.js':
    'export const removeDirectivesFromDocument = (directives, document) => document',
  // Scalars stay as they are sent.
  '@apollo/client/utilities/internal/coerceScalarFieldsToParsed.js':
    'export const coerceScalarFieldsToParsed = data => data',
  // Components suspend for queries, never for fragments.
  '@apollo/client/react/internal/cache/FragmentReference.js': 'export const FragmentReference = undefined',
  // Operations are sent by POST.
  '@apollo/client/link/http/rewriteURIForGET.js': 'export const rewriteURIForGET = () => {}',
  // Nothing is observed on a scheduler, nor made from what is iterated asynchronously or read as a stream.
  'rxjs/dist/esm/internal/scheduled/scheduled.js': 'export const scheduled = undefined',
  'rxjs/dist/esm/internal/util/isAsyncIterable.js': 'export const isAsyncIterable = () => false',
  'rxjs/dist/esm/internal/util/isReadableStreamLike.js':
    'export const isReadableStreamLike = () => false, readableStreamLikeToAsyncGenerator = undefined',
  // Only shows values in messages for developers.
  'graphql/jsutils/inspect.mjs': 'export const inspect = String',
  // The original can print whole schemas too.
  'graphql/language/printer.mjs': `export { print, print as printForError } from ${JSON.stringify(resolve('storefront/data/print.ts'))}`,
}

/** The production build of react-router, without its messages for developers. */
const ROUTER = [
  { find: /^react-router$/, replacement: resolve('node_modules/react-router/dist/production/index.mjs') },
  { find: /^react-router\/dom$/, replacement: resolve('node_modules/react-router/dist/production/dom-export.mjs') },
]

/** The API's explorer is built separately: shoppers load nothing of it. */
const EXPLORER: BuildOptions = {
  target: 'es2023',
  outDir: 'dist/client/assets/explorer',
  assetsDir: '',
  manifest: true,
  copyPublicDir: false,
  assetsInlineLimit: 0,
  // Its editor is large.
  chunkSizeWarningLimit: 3_000,
  // Directives in modules are for a compiler that does not run here.
  rolldownOptions: { input: 'storefront/entry-explorer.tsx', checks: { moduleLevelDirective: false } },
}

/** Digits of 4 bits instead of 6: names of files are what compresses least. */
const NAMES = { hashCharacters: 'hex' } as const

const CLIENT: BuildOptions = {
  target: 'es2023',
  outDir: 'dist/client',
  manifest: true,
  modulePreload: { polyfill: false },
  assetsInlineLimit: 0,
  chunkSizeWarningLimit: 700,
  rolldownOptions: {
    input: 'storefront/entry-client.tsx',
    // Reading a property, such as a colour, has no side effects.
    treeshake: { propertyReadSideEffects: false },
    output: {
      ...NAMES,
      codeSplitting: {
        groups: [
          { name: 'vendor', test: VENDOR, priority: 4 },
          ...[3, 2, 1].map(priority => ({
            name: (id: string, graph: Graph) => fileOf(id, graph, priority),
            debugName: `needed by ${priority} kinds of pages`,
            test: OWN,
            priority,
          })),
        ],
      },
    },
  },
}

const SERVER: BuildOptions = {
  target: 'es2023',
  outDir: 'dist/server',
  minify: false,
  copyPublicDir: false,
  // Fonts are named as the browser's files name them.
  rolldownOptions: { input: 'storefront/entry-server.tsx', output: NAMES },
}

/** A separate file at the shop's root, because a service worker controls only pages in its own folder and below. */
const SERVICE_WORKER: BuildOptions = {
  target: 'es2023',
  outDir: 'dist/client',
  emptyOutDir: false,
  copyPublicDir: false,
  rolldownOptions: {
    input: 'storefront/service-worker.ts',
    output: { entryFileNames: 'service-worker.js', format: 'iife' },
  },
}

/** The API in a few files, without its packages: it starts faster than from source, in less memory. */
const API: BuildOptions = {
  target: 'node24',
  ssr: 'api/main.ts',
  outDir: 'dist/api',
  minify: false,
  // type-graphql relies on the names of classes.
  rolldownOptions: { output: { keepNames: true, chunkFileNames: '[name].js' } },
}

/**
 * Packages that are bundled all the same. Mails are then rendered with React's production build rather than its
 * development build; of the other packages the shop uses little, and would otherwise load them whole.
 */
const TAKEN_IN = [/^react(-dom)?(\/|$)/, /^@react-email\//, /^culori(\/|$)/, 'graphql-scalars']

const APART: Record<string, BuildOptions> = { explorer: EXPLORER, 'service-worker': SERVICE_WORKER }

const browser = ({ command, isSsrBuild, mode }: ConfigEnv): UserConfig => {
  const isPages = command === 'build' && !isSsrBuild && !(mode in APART)
  return {
    ...(mode === 'explorer' && { base: '/assets/explorer/' }),
    publicDir: 'storefront/public',
    plugins: [react(), namedByProject(), ...(isPages ? [leftOut()] : []), compressed(mode === 'explorer' ? 9 : 11)],
    // Class names that do not depend on which module ran first, so that server and browser make the same ones.
    oxc: { plugins: { styledComponents: { ssr: true, displayName: false, fileName: true, minify: true, pure: true } } },
    build: isSsrBuild ? SERVER : (APART[mode] ?? CLIENT),
    // With `es2015`, rxjs comes in its modern form.
    resolve: isSsrBuild ? {} : { conditions: ['es2015', ...defaultClientConditions], alias: isPages ? ROUTER : [] },
    define: isSsrBuild ? { 'process.env.NODE_ENV': '"production"' } : {},
    // The page's client and the API's schema share one graphql; Node cannot load styled-components as a module.
    ssr: isSsrBuild ? { noExternal: true, external: ['graphql'] } : { noExternal: ['styled-components'] },
  }
}

export default defineConfig(env => {
  // Shells and test runners set NODE_ENV for themselves; a build is always for production.
  if (env.command === 'build') process.env.NODE_ENV = 'production'
  return env.mode === 'api'
    ? {
        publicDir: false,
        plugins: [besideSources()],
        build: API,
        define: { 'process.env.NODE_ENV': '"production"' },
        ssr: { external: true, noExternal: TAKEN_IN },
      }
    : browser(env)
})

/** Files beside a source are still found from where the source is, although its built code is elsewhere. */
function besideSources(): Plugin {
  return {
    name: 'beside-sources',
    transform(code, id) {
      if (!code.includes('import.meta.url')) return
      const source = JSON.stringify(relative('dist/api', id))
      return { code: code.replaceAll('import.meta.url', `new URL(${source}, import.meta.url).href`), map: null }
    },
  }
}

/**
 * Classes are named for the place of their file on the machine. Named for that in the project, a build is the same to the byte wherever it
 * is made, and so is what pages weigh.
 */
function namedByProject(): Plugin {
  const places = new Map<string, string>()
  return {
    name: 'named-by-project',
    enforce: 'post',
    transform: {
      filter: { id: /[\\/]storefront[\\/].*\.tsx?$/, code: 'componentId' },
      handler(code, id) {
        const place = relative('.', id).replaceAll('\\', '/')
        const name = createHash('sha256').update(place).digest().readUIntBE(0, 6).toString(36).slice(-4)
        if ((places.get(name) ?? place) !== place) this.error(`${place} has the class names of ${places.get(name)}`)
        places.set(name, place)
        return { code: code.replaceAll(/(?<=\bcomponentId:\s*["'`])sc-\w+-/g, `s${name}`), map: null }
      },
    },
  }
}

function leftOut(): Plugin {
  const missing = new Set(Object.keys(LEFT_OUT))
  return {
    name: 'left-out',
    load(id) {
      const [file, code] = Object.entries(LEFT_OUT).find(([file]) => id.endsWith(`/node_modules/${file}`)) ?? []
      if (file) missing.delete(file)
      return code
    },
    // The router's components are results of calls, which a bundler keeps, used or not, unless they are marked as pure.
    transform: {
      filter: { id: /react-router[\\/]dist[\\/]production[\\/]/ },
      handler: code => ({
        code: code
          .replace(/^var \w+ = (?=React\d*\.forwardRef\()/gm, '$&/* @__PURE__ */ ')
          .replace(/^\w+\.displayName = .*;$/gm, ''),
        map: null,
      }),
    },
    buildEnd(error) {
      if (!error && missing.size > 0) this.error(`Not found, so not left out: ${[...missing].join(', ')}`)
    },
  }
}

/**
 * Writes X.br and X.gz beside each text file of the client build. `quality` is brotli's: 11 makes files 10 % smaller
 * than 9 in fourteen times the time, which pays for files that many load.
 */
function compressed(quality: 9 | 11): Plugin {
  const brotli = promisify(brotliCompress)
  const zip = promisify(gzip)
  return {
    name: 'compressed',
    apply: ({ build }) => !build?.ssr,
    async writeBundle({ dir }) {
      if (!dir) return
      const files = await readdir(dir, { recursive: true })
      await Promise.all(
        files
          .filter(file => /\.(js|css|svg|json)$/.test(file) && !file.startsWith('.'))
          .map(async file => {
            const path = join(dir, file)
            const content = await readFile(path)
            if (content.length < 256 || existsSync(`${path}.br`)) return
            await writeFile(
              `${path}.br`,
              await brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
            )
            await writeFile(`${path}.gz`, await zip(content, { level: 9 }))
          }),
      )
    },
  }
}
