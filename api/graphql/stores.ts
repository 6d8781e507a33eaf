import { InMemoryLRUCache } from '@apollo/utils.keyvaluecache'
import type { DocumentNode } from 'graphql'
import { bytesOf } from '../http/shared-cache.ts'

/** A node, its name, their places and its token; measured. */
const BYTES_PER_TOKEN = 500

/** Texts of automatic persisted queries, by their hash. Who finds that one has gone sends it again. */
export const persistedQueries = () =>
  new InMemoryLRUCache<string>({ max: 5_000, maxSize: 2 ** 23, maxEntrySize: 2 ** 17, sizeCalculation: bytesOf })

/** Documents that were found valid. Each holds its source with all comments, and every token of it. */
export const validDocuments = () =>
  new InMemoryLRUCache<DocumentNode>({
    max: 2_000,
    maxSize: 2 ** 25,
    maxEntrySize: 2 ** 19,
    sizeCalculation: sizeOfDocument,
  })

export function sizeOfDocument({ loc }: DocumentNode): number {
  let tokens = 0
  for (let token = loc?.startToken ?? null; token; token = token.next) tokens++
  return bytesOf(loc?.source.body ?? '') + tokens * BYTES_PER_TOKEN
}
