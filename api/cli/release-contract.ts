import { readFileSync, writeFileSync } from 'node:fs'
import { printSchema } from 'graphql'
import { clock } from '../kernel/clock.ts'
import { schema } from '../schema.ts'
import { comparedWithRelease, contractFile, restDocument } from './contract-files.ts'

// Run with `npm run release-contract` when a release goes out: from then on its clients may not be broken.

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}
const today = clock.now().toISOString().slice(0, 10)
const { breaks, recorded, unrecorded } = await comparedWithRelease(schema)
const early = recorded.filter(({ date, change }) => date > today && breaks.includes(change))

if (unrecorded.length + early.length > 0) {
  for (const change of unrecorded) console.error(`Not in docs/contract/changes.md: ${change}`)
  for (const { date, change } of early) console.error(`Promised until ${date}: ${change}`)
  process.exitCode = 1
} else {
  writeFileSync(contractFile('released.graphql'), `# Skein ${version}, ${today}\n\n${printSchema(schema)}\n`)
  writeFileSync(contractFile('released-rest.json'), `${JSON.stringify(await restDocument(schema), null, 1)}\n`)
}
