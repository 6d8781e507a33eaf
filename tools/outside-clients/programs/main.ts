import { codegen } from './codegen.ts'
import { genql } from './genql.ts'
import { openapi } from './openapi.ts'
import { relay } from './relay.ts'
import { tada } from './tada.ts'

const report: Record<string, unknown> = {}
for (const program of [codegen, tada, genql, relay, openapi]) report[program.name] = await program()
console.log(JSON.stringify(report))
