import type { MikroORM } from '@mikro-orm/postgresql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect } from '../../db/config.ts'
import { seed } from '../../db/seed/seed.ts'
import { ownDatabase } from '../../testing/shop.ts'
import { goldenQueries } from '../../testing/golden-queries.ts'
import { engines, qualityOf } from '../../testing/search-engines.ts'

let database: Awaited<ReturnType<typeof ownDatabase>>
let orm: MikroORM
beforeAll(async () => {
  database = await ownDatabase()
  orm = await connect(database.url)
  await seed(orm.em.fork())
})
afterAll(async () => {
  await orm?.close()
  await database?.drop()
})

it('asks as knitters do, at least 200 times', () => {
  expect(new Set(goldenQueries.map(({ query }) => query)).size).toBeGreaterThanOrEqual(200)
})

it('finds what knitters look for among the first twelve, and nearly always first', async () => {
  const { recall, mrr, missed } = await qualityOf(orm.em.fork(), engines['the shop'], goldenQueries)
  expect(recall, JSON.stringify(missed.slice(0, 20))).toBeGreaterThanOrEqual(0.97)
  expect(mrr).toBeGreaterThanOrEqual(0.9)
})
