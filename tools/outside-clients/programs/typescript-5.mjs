import { registerHooks } from 'node:module'

// Run with `--import`: openapi-typescript writes with the compiler's API, which TypeScript 7 no longer has.
registerHooks({
  resolve: (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context),
})
