/**
 * zod compiles its checks with `new Function`, and first tries whether that is allowed. The content security policy forbids
 * it, and would report each try on every page with a form. This runs before any form loads zod.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
