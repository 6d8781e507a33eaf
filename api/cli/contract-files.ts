import { readFileSync } from 'node:fs'
import fastify from 'fastify'
import { buildSchema, type GraphQLSchema } from 'graphql'
import { sharedAnswers } from '../graphql/response-cache.ts'
import { rest } from '../rest/rest.ts'
import { breaksOf, recordedIn, releaseOf, unrecorded } from './contract-changes.ts'
import { restBreaks, type Document } from './rest-changes.ts'

export const contractFile = (name: string) => new URL(`../../docs/contract/${name}`, import.meta.url)
const read = (name: string) => readFileSync(contractFile(name), 'utf8')

/** The REST calls and webhooks as they are described now; no shop is needed for it. */
export async function restDocument(schema: GraphQLSchema): Promise<Document> {
  const app = fastify()
  const contextOf = () => Promise.reject(new Error('Nobody asks.'))
  await app.register(rest, {
    schema,
    contextOf,
    answers: sharedAnswers(0),
    longestMs: 0,
    shopUrl: 'https://shop.example',
  })
  return (await app.inject('/api/openapi.json')).json()
}

/** What the last release promised, and what breaks it now. */
export async function comparedWithRelease(schema: GraphQLSchema) {
  const text = read('released.graphql')
  const release = releaseOf(text)
  const recorded = recordedIn(read('changes.md'))
  const breaks = [
    ...breaksOf(buildSchema(text), schema),
    ...restBreaks(JSON.parse(read('released-rest.json')) as Document, await restDocument(schema)),
  ]
  return { release, recorded, breaks, unrecorded: unrecorded(breaks, recorded, release.date) }
}
