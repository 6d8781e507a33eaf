import type { EntityManager } from '@mikro-orm/postgresql'
import type { PictureColours } from '#schema/rules/facts/product-facts'
import { lastOf } from '#schema/rules/present'
import type { Jobs } from '../jobs/jobs.ts'
import { decoding } from './decoding.ts'
import { coloursOf } from './picture-colours.ts'
import { pixelsOf } from './picture-foreground.ts'
import type { Originals } from './pictures.ts'
import { indexProducts } from './search/index-products.ts'
import { LONGEST_SIDE } from './uploads.ts'

export const COLOURS_QUEUE = 'see-colours'

/** How long one job runs; another one does the rest. */
export const LOOK_MS = 20_000

/** Grows when pictures are looked at in another way, with the index `products_unseen`. */
const READING = 2

/** So many products are done before others have their turn. */
const BATCH = 20

const MOST_PIXELS = LONGEST_SIDE ** 2

export interface Look {
  /** Those saved; every product whose picture nobody has looked at when left out. */
  ids?: string[]
  /** Of those, the ones behind this id. */
  after?: string
}

/** Has the colours of these products' pictures seen once the transaction of `em` has committed. */
export async function seeColoursLater(jobs: Jobs, em: EntityManager, look: Look = {}): Promise<void> {
  await jobs.add(em, COLOURS_QUEUE, look)
}

/** Looks at the pictures of products that nobody has looked at. Returns what is left when its time is over, null for nothing. */
export async function seeColours(
  em: EntityManager,
  originals: Originals,
  { ids, after }: Look = {},
  longestMs = Infinity,
): Promise<Look | null> {
  const begun = performance.now()
  let last = after ?? '00000000-0000-0000-0000-000000000000'
  /** Many products may show one picture. */
  const known = new Map<string, Promise<PictureColours | null>>()
  for (;;) {
    const rows = await em.execute<{ id: string; image: string }[]>(
      `select id, image from products where id > ? and archived_at is null and image ~ '^/[a-z]+/'
         and (picture_colours is null or picture_colours ->> 'image' <> image or (picture_colours ->> 'reading')::int < ${READING})
         ${ids ? 'and id in (?)' : ''} order by id limit ${BATCH}`,
      ids ? [last, ids] : [last],
    )
    if (rows.length === 0) return null
    for (const { id, image } of rows) {
      const looking = known.get(image) ?? lookAt(image, originals)
      known.set(image, looking)
      const seen = await looking
      if (seen) await keep(em.fork(), id, seen)
    }
    if (known.size > 1_000) known.clear()
    last = lastOf(rows).id
    if (performance.now() - begun > longestMs) return { ...(ids && { ids }), after: last }
  }
}

/** Pictures of other hosts are never fetched. */
async function lookAt(image: string, originals: Originals): Promise<PictureColours | null> {
  const [, prefix = '', name = ''] = /^(\/[a-z]+)\/([a-z0-9][a-z0-9-]{0,99}\.(?:webp|jpg|png))$/.exec(image) ?? []
  const picture = await originals[prefix]?.(name)
  if (!picture) return null
  const pixels = await decoding.take(() => pixelsOf(picture, MOST_PIXELS), MOST_PIXELS)
  return { image, reading: READING, ...coloursOf(pixels) }
}

/** Skips a product whose picture was replaced meanwhile: saving it queued another look. */
async function keep(em: EntityManager, id: string, seen: PictureColours): Promise<void> {
  await em.transactional(async tx => {
    const kept = await tx.execute<{ id: string }[]>(
      'update products set picture_colours = ?::jsonb where id = ? and image = ? returning id',
      [JSON.stringify(seen), id, seen.image],
    )
    if (kept.length > 0) await indexProducts(tx, [id])
  })
}
