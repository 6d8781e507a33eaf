import { setTimeout as delay } from 'node:timers/promises'
import { EntityManager, PostgreSqlDriver, type DriverException, type TransactionOptions } from '@mikro-orm/postgresql'
import { explain, isConflict } from './failures.ts'

const TRIES = 4
const PAUSE_MS = 30

/** PostgreSQL, whose failures say what clients may know of them. */
export class ShopDriver extends PostgreSqlDriver {
  override convertException(exception: Error): DriverException {
    return explain(super.convertException(exception))
  }
}

/** Runs a transaction again when it lost against another one: so it touches nothing but the database. */
export class ShopEntityManager extends EntityManager {
  override async transactional<T>(work: (em: this) => T | Promise<T>, options?: TransactionOptions): Promise<T> {
    // Rolling back to a savepoint does not resolve a conflict; retrying the outer transaction does.
    if (this.isInTransaction()) return super.transactional(work, options)
    for (let attempt = 1; ; attempt++) {
      try {
        return await super.transactional(work, options)
      } catch (error) {
        if (!isConflict(error) || attempt === TRIES) throw explain(error)
        await delay(Math.random() * PAUSE_MS * 2 ** attempt)
        await this.#forget()
      }
    }
  }

  override async flush(): Promise<void> {
    try {
      await super.flush()
    } catch (error) {
      throw explain(error)
    }
  }

  /** The entities that the work began with still hold what was rolled back. */
  async #forget(): Promise<void> {
    for (const entity of this.getUnitOfWork().getIdentityMap().values()) await this.refresh(entity)
  }
}
