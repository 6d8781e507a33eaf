import type { EntityManager } from '@mikro-orm/postgresql'

const primaries = new WeakMap<object, EntityManager>()

/** What is read through this driver comes from a server that follows another one. */
export function follows(driver: object, primary: EntityManager): void {
  primaries.set(driver, primary)
}

/** For what is kept in memory for longer than an answer: a replica may not know yet what it already has. */
export const primaryOf = (em: EntityManager): EntityManager => primaries.get(em.getDriver())?.fork() ?? em
