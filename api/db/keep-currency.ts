import type { EntityManager } from '@mikro-orm/postgresql'
import type { Currency } from '#schema/rules/currency'
import { EnvError } from '../kernel/env-variables.ts'

/** Notes in what currency the amounts of a new shop are, which every later start has to name, too. */
export async function keepCurrency(em: EntityManager, currency: Currency): Promise<void> {
  await em.execute('insert into shop_currency (code) values (?) on conflict do nothing', [currency])
  const [{ code }] = await em.execute<[{ code: string }]>('select code from shop_currency')
  if (code === currency) return
  throw new EnvError([
    `SHOP_CURRENCY is ${currency}, but the prices and orders of this shop are in ${code}, which they stay in: start it with SHOP_CURRENCY=${code}.`,
  ])
}
