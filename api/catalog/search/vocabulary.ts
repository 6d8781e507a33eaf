import type { EntityManager } from '@mikro-orm/postgresql'
import { LRUCache } from 'lru-cache'
import { primaryOf } from '../../query/primary.ts'
import { isReadable, readKeyword, readSynonyms, type Keyword, type Reading, type Synonyms } from './read-keyword.ts'

const MOST_KEYWORDS = 1_000

/** What keywords are read as, kept until the shop's words or synonyms change. Whoever hears of that says so. */
export class Vocabulary {
  #synonyms: Promise<Synonyms> | null = null
  #keywords = new LRUCache<string, Promise<Keyword | null>>({ max: MOST_KEYWORDS })

  /** What is still being read answers those who wait for it, and is not kept. */
  forget(): void {
    this.#synonyms = null
    this.#keywords = new LRUCache({ max: MOST_KEYWORDS })
  }

  async read(asked: EntityManager, keyword: string, how: Reading = {}): Promise<Keyword | null> {
    if (!isReadable(keyword)) return null
    // A replica may not have heard of the last change.
    const em = primaryOf(asked)
    const key = JSON.stringify([keyword, how])
    const keywords = this.#keywords
    const known = keywords.get(key)
    if (known) return known
    const read = this.#synonymsFrom(em).then(synonyms => readKeyword(em, synonyms, keyword, how))
    keywords.set(key, read)
    read.catch(() => keywords.delete(key))
    return read
  }

  #synonymsFrom(em: EntityManager): Promise<Synonyms> {
    if (this.#synonyms) return this.#synonyms
    const synonyms = readSynonyms(em)
    this.#synonyms = synonyms
    synonyms.catch(() => {
      if (this.#synonyms === synonyms) this.#synonyms = null
    })
    return synonyms
  }
}
