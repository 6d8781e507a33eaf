import { registerHooks } from 'node:module'

// Run with `--import`: some tools write with the compiler's API, which TypeScript 7 no longer has. ts-morph brings one along.
const shim = `data:text/javascript,export { ts as default } from '${import.meta.resolve('@ts-morph/common')}'`

registerHooks({
  resolve: (name, context, next) =>
    name === 'typescript' && context.conditions.includes('import')
      ? { url: shim, shortCircuit: true }
      : next(name, context),
})
