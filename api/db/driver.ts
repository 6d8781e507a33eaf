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
    // A savepoint cannot get over a conflict; the transaction around it can.
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

  /** What was rolled back is still in the entities that the work began with. */
  async #forget(): Promise<void> {
    for (const entity of this.getUnitOfWork().getIdentityMap().values()) await this.refresh(entity)
  }
}
