// `npm run search-quality`: how well the shop finds what knitters ask for, compared with PostgreSQL's own search.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { goldenQueries } from './golden-queries.ts'
import { engines, qualityOf } from './search-engines.ts'
import { connect, migrate } from '../db/config.ts'
import { seed } from '../db/seed/seed.ts'
import { startPostgres } from '../../tools/local-postgres/start-postgres.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'skein-search-'))
const postgres = await startPostgres({ dataDir, log: () => {} })
const orm = await connect(postgres.url)
try {
  await migrate(orm)
  await seed(orm.em.fork())
  console.log(`${goldenQueries.length} queries\n\n${'engine'.padEnd(16)} recall@12     MRR`)
  for (const [name, engine] of Object.entries(engines)) {
    const { recall, mrr, missed } = await qualityOf(orm.em.fork(), engine, goldenQueries)
    console.log(`${name.padEnd(16)} ${recall.toFixed(3).padStart(9)} ${mrr.toFixed(3).padStart(7)}`)
    if (name === 'the shop')
      for (const each of missed)
        console.log(`    ${each.query.padEnd(32)} recall ${each.recall.toFixed(2)}, first at ${each.rank || 'none'}`)
  }
} finally {
  await orm.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
