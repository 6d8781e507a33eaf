/**
 * zod compiles its checks with `new Function`, and tries first whether it may: the content security policy does not let it,
 * and would report that of every page with a form. Forms drag zod in later than this.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
