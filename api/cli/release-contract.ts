import { writeFileSync } from 'node:fs'
import { printSchema } from 'graphql'
import { schema } from '../schema.ts'

/** Run with `npm run release-contract` when a release goes out: from then on its clients may not be broken. */
writeFileSync(new URL('../../docs/contract/released.graphql', import.meta.url), `${printSchema(schema)}\n`)
