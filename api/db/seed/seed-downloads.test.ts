import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extractText } from 'unpdf'
import { expect, it, onTestFinished } from 'vitest'
import { nth, present } from '#schema/rules/present'
import { Product } from '../../catalog/product.entity.ts'
import { partsOf } from '../../download/download-files.ts'
import { filesOnDisk } from '../../kernel/files.ts'
import { ownDatabase } from '../../testing/shop.ts'
import { connect } from '../config.ts'
import { patterns } from './patterns.ts'
import { seedDownloads } from './seed-downloads.ts'
import { seed } from './seed.ts'

it('gives each pattern, and the kit it belongs to, a PDF with all of its instructions and charts', async () => {
  const [database, dataDir] = [await ownDatabase(), await mkdtemp(join(tmpdir(), 'skein-patterns-'))]
  const orm = await connect(database.url)
  onTestFinished(async () => {
    await orm.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const files = filesOnDisk(dataDir)
  await seed(orm.em.fork())
  await seedDownloads(orm.em.fork(), files, { paper: 'A4', shopName: 'Wool & Co' })

  const given = await orm.em.fork().find(Product, { downloads: { $ne: [] } }, { orderBy: { sku: 'asc' } })
  expect(given.map(({ sku, isDownload }) => [sku, isDownload])).toEqual([
    ['KIT-FIRST-HAT', false],
    ['KIT-FOX-MITTENS', false],
    ['KIT-STRIPED-SOCKS', false],
    ['PATTERN-FIRST-HAT', true],
    ['PATTERN-FOX-MITTENS', true],
    ['PATTERN-NIGHT-TRAIN-SOCKS', true],
  ])
  for (const { sku, downloads } of given) {
    const file = present(await files.read(nth(partsOf(nth(downloads, 0)), 0)))
    const { text } = await extractText(new Uint8Array(file), { mergePages: true })
    const words = text.replace(/\s+/g, ' ')
    for (const { slug, kit, parts } of patterns)
      if ([slug, kit].includes(sku.toLowerCase()))
        for (const { heading, paragraphs } of parts)
          for (const said of [heading, ...paragraphs]) expect(words).toContain(said)
  }
})
