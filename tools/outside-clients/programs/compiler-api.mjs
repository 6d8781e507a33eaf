import { registerHooks } from 'node:module'

// Loaded with `--import`: some tools use the compiler's API, which TypeScript 7 no longer has. ts-morph has a copy.
const shim = `data:text/javascript,export { ts as default } from '${import.meta.resolve('@ts-morph/common')}'`

registerHooks({
  resolve: (name, context, next) =>
    name === 'typescript' && context.conditions.includes('import')
      ? { url: shim, shortCircuit: true }
      : next(name, context),
})
