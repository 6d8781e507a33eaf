import { resolve } from 'node:path'
import { type ESTree, type Plugin, Visitor } from 'vite'

/** Files of packages that no page of the shop uses, with the code that replaces them. */
const FILES: Record<string, string> = {
  // Browsers that run the shop need no prefixes; styled-components does not ask for them.
  'stylis/src/Prefixer.js': 'export const prefix = value => value',
  // The client masks no data.
  '@apollo/client/masking/maskOperation.js': 'export const maskOperation = data => data',
  '@apollo/client/masking/maskFragment.js': 'export const maskFragment = data => data',
  // Operations are sent by POST.
  '@apollo/client/link/http/rewriteURIForGET.js': 'export const rewriteURIForGET = () => {}',
  // The original can print whole schemas too.
  'graphql/language/printer.mjs': `export { print, print as printForError } from ${JSON.stringify(resolve('storefront/data/print.ts'))}`,
}

/** Functions of packages that no page of the shop calls: those of features that it does without. To call one is an error. */
const FUNCTIONS: Record<string, string[]> = {
  'react-dom/cjs/react-dom-client.production.js': [
    // <ViewTransition>
    'applyViewTransitionToHostInstances',
    'commitAfterMutationEffectsOnFiber',
    'commitAppearingPairViewTransitions',
    'commitDeletedPairViewTransitions',
    'createViewTransitionInstance',
    'getViewTransitionClassName',
    'getViewTransitionName',
    'measureViewTransitionHostInstancesRecursive',
    'restoreViewTransitionOnHostInstances',
    'scheduleViewTransitionEvent',
    'startViewTransition',
    'ViewTransitionPseudoElement',
    // <Fragment ref>
    'commitNewChildToFragmentInstance',
    'deleteChildFromFragmentInstance',
    'FragmentInstance',
    // <SuspenseList> and <Activity>
    'updateActivityComponent',
    'updateSuspenseListComponent',
    // useActionState
    'dispatchActionState',
    'mountActionState',
    'rerenderActionState',
    'updateActionState',
    // preinit and preloadModule
    'preinitModuleScript',
    'preinitScript',
    'preinitStyle',
    'preloadModule',
  ],
  'react-router/dist/production/chunk-7RTFRKQW.mjs': [
    // <Form> and useFetcher: forms without script are sent by the browser itself.
    'convertFormDataToSearchParams',
    'convertSearchParamsToFormData',
    'handleAction',
    'handleFetcherAction',
    'handleFetcherLoader',
    'useFormAction',
    'useSubmit',
    // Framework mode, server components, instrumentation, middleware and routes that are found later
    'discoverRoutes',
    'getRouteInstrumentationUpdates',
    'instrumentClientSideRouter',
    'PrefetchPageLinks',
    'RSCErrorHandler',
    'runClientMiddlewarePipeline',
  ],
}

/** Leaves them out of the pages' build, which fails if one is not where it is expected. */
export function leftOut(): Plugin {
  const missing = new Set([...Object.keys(FILES), ...Object.keys(FUNCTIONS)])
  return {
    name: 'left-out',
    load(id) {
      return FILES[take(id, FILES) ?? '']
    },
    transform(code, id) {
      const file = take(id, FUNCTIONS)
      return file && withoutBodies(code, this.parse(code), new Set(FUNCTIONS[file]))
    },
    buildEnd(error) {
      if (!error && missing.size > 0) this.error(`Not found, so not left out: ${[...missing].join(', ')}`)
    },
  }

  function take(id: string, files: object): string | undefined {
    const found = Object.keys(files).find(file => id.endsWith(`/node_modules/${file}`))
    if (found) missing.delete(found)
    return found
  }
}

/** The code without what the functions do, and without the methods of those that are constructors. */
function withoutBodies(code: string, program: ESTree.Program, names: Set<string>): string {
  const cuts: { start: number; end: number; text: string }[] = []
  const absent = new Set(names)
  new Visitor({
    FunctionDeclaration({ id, body }) {
      if (!id || !body || !names.has(id.name)) return
      absent.delete(id.name)
      cuts.push({ start: body.start, end: body.end, text: '{ throw Error("left out") }' })
    },
    ExpressionStatement({ start, end, expression }) {
      const method = /^([\w$]+)\.prototype\./.exec(code.slice(start, end))?.[1]
      if (expression.type === 'AssignmentExpression' && method && names.has(method)) cuts.push({ start, end, text: '' })
    },
  }).visit(program)
  if (absent.size > 0) throw new Error(`Not found, so not left out: ${[...absent].join(', ')}`)
  // From the end, so that what comes before stays where it is. None is within another.
  return cuts
    .toSorted((a, b) => b.start - a.start)
    .reduce((rest, { start, end, text }) => rest.slice(0, start) + text + rest.slice(end), code)
}
