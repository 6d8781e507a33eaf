import { Readable } from 'node:stream'
import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import { limits } from '#schema/rules/limits'
import { ownerLimits } from '#schema/rules/owner-limits'
import { nth, present } from '#schema/rules/present'
import type { Actor } from '../../audit/record-audit.ts'
import type { Services } from '../../context.ts'
import { askOnce } from '../../http/open-line.ts'
import { ForbiddenAddress, UnknownHost } from '../../http/public-address.ts'
import { clock } from '../../kernel/clock.ts'
import { Refusal, refuse } from '../../kernel/errors.ts'
import { isId } from '../../kernel/validation.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { Product, type ProductPicture } from '../product.entity.ts'
import { patchProduct } from '../save-product.ts'
import { storePicture } from '../uploads.ts'
import { ProductImport } from './product-import.entity.ts'

export const FETCH_QUEUE = 'fetch-pictures'

/** How long one job runs; another one does the rest. */
const JOB_MS = 20_000
/** From the look at the name to the last byte. */
const TIMEOUT_MS = 10_000
/** Hosts of pictures often send another format to who takes it. */
const HEADERS = { accept: 'image/jpeg, image/png', 'user-agent': 'Skein-Pictures' }
const AT_ONCE = 4
/** Of an address that cannot be reached: after a minute, four, a quarter of an hour, an hour. */
const TRIES = 5
const waitMs = (tries: number) => 60_000 * 4 ** (tries - 1)
/** Pictures that are looked through for the next few addresses: variants of one product often share them. */
const LOOK_AHEAD = 200
/** Rows whose products are given their pictures before the next addresses are asked. */
const ROWS_AT_ONCE = 50

export interface Fetch {
  importId: string
  /** Number of the try, from 1. */
  tries: number
}

/** Has the pictures of an import that are at other hosts fetched once the transaction of `em` has committed, if there are any. */
export async function fetchPicturesLater(jobs: Jobs, em: EntityManager, importId: string): Promise<void> {
  if ((await countPictures(em, importId, TO_FETCH)) > 0)
    await jobs.add(em, FETCH_QUEUE, { importId, tries: 1 } satisfies Fetch)
}

type Fetching = Pick<Services, 'jobs' | 'uploads' | 'webhookReach'> & { em: EntityManager }

/**
 * Fetches pictures into the shop and gives them to the products that show them from where they are. What cannot be reached
 * is tried again later; an import that was undone is left alone.
 */
export async function fetchPictures(fetching: Fetching, fetch: Fetch): Promise<void> {
  const { em, jobs } = fetching
  const begun = performance.now()
  for (;;) {
    const addresses = await addressesWaiting(em.fork(), fetch)
    await Promise.all(addresses.map(address => fetchOne({ ...fetching, em: em.fork() }, fetch, address)))
    const lines = await linesToGive(em.fork(), fetch)
    for (const line of lines) await give(fetching, fetch.importId, line)
    if (addresses.length === 0 && lines.length === 0) break
    if (performance.now() - begun > JOB_MS) return jobs.add(em, FETCH_QUEUE, fetch)
  }
  const next = { importId: fetch.importId, tries: fetch.tries + 1 }
  const [left] = await addressesWaiting(em.fork(), next)
  if (left !== undefined)
    await jobs.add(em, FETCH_QUEUE, next, { startAfter: new Date(clock.now().getTime() + waitMs(fetch.tries)) })
}

const TO_FETCH = 'not i.is_given and i.problem is null'
const WAITING = `${TO_FETCH} and i.stored_as is null`
const NOT_FETCHED = 'i.problem is not null'

const OF_APPLIED = `product_import_pictures i join product_imports m on m.id = i.import_id
  where i.import_id = ? and m.status = 'APPLIED'`

/** The next few that were tried less often than this. */
async function addressesWaiting(em: EntityManager, { importId, tries }: Fetch): Promise<string[]> {
  const pictures = await em.execute<{ address: string }[]>(
    `select i.address from ${OF_APPLIED} and ${WAITING} and i.tries < ? order by i.line, i.place limit ${LOOK_AHEAD}`,
    [importId, tries],
  )
  return [...new Set(pictures.map(({ address }) => address))].slice(0, AT_ONCE)
}

/** The next few rows all of whose pictures were tried this often: a product is given its pictures together. */
async function linesToGive(em: EntityManager, { importId, tries }: Fetch): Promise<number[]> {
  const rows = await em.execute<{ line: number }[]>(
    `select distinct i.line from ${OF_APPLIED} and ${TO_FETCH} and i.stored_as is not null and not exists (
       select 1 from product_import_pictures w where w.import_id = i.import_id and w.line = i.line
         and not w.is_given and w.problem is null and w.stored_as is null and w.tries < ?)
     order by i.line limit ${ROWS_AT_ONCE}`,
    [importId, tries],
  )
  return rows.map(({ line }) => line)
}

async function fetchOne(fetching: Fetching, { importId, tries }: Fetch, address: string): Promise<void> {
  const { em, uploads, webhookReach } = fetching
  const note = (set: string, ...values: unknown[]) =>
    em.execute(`update product_import_pictures i set ${set} where i.import_id = ? and ${WAITING} and i.address = ?`, [
      ...values,
      importId,
      address,
    ])
  try {
    const picture = await pictureAt(address, webhookReach)
    const { image } = await storePicture(uploads, Readable.from([picture]))
    await note('stored_as = ?', image)
  } catch (error) {
    if (!(error instanceof Unfetched || error instanceof Refusal)) throw error
    const isOver = !(error instanceof Unfetched && error.isForNow) || tries >= TRIES
    await note('tries = ?, problem = ?', tries, isOver ? error.message : null)
  }
}

/** What another host answers, up to a little more than is taken. */
async function pictureAt(address: string, reach: Services['webhookReach']): Promise<Buffer> {
  try {
    return await askOnce(address, reach, { headers: HEADERS, timeoutMs: TIMEOUT_MS }, async (status, body) => {
      if (status !== 200)
        throw new Unfetched(`The picture’s host answered ${status}.`, status >= 500 || status === 408 || status === 429)
      const chunks: Buffer[] = []
      let length = 0
      for await (const chunk of body) {
        chunks.push(chunk)
        length += chunk.length
        if (length > limits.pictureBytes) break
      }
      return Buffer.concat(chunks)
    })
  } catch (error) {
    if (error instanceof Unfetched) throw error
    if (error instanceof ForbiddenAddress) throw new Unfetched(error.message, error instanceof UnknownHost)
    throw new Unfetched('The picture’s host could not be reached.', true)
  }
}

/** There was no picture to be had; the message says why, to a person. */
class Unfetched extends Error {
  override readonly name = 'Unfetched'
  /** Another try may help. */
  readonly isForNow: boolean

  constructor(message: string, isForNow: boolean) {
    super(message)
    this.isForNow = isForNow
  }
}

interface Fetched {
  place: number
  address: string
  alt: string
  storedAs: string
  isGiven: boolean
  /** Who made the import. */
  actor: Actor
}

/** Gives the product of a row the pictures of it that are here by now. */
async function give(fetching: Fetching, importId: string, line: number): Promise<void> {
  await fetching.em.fork().transactional(async tx => {
    const { productId } = present(
      (
        await tx.execute<{ productId: string }[]>(
          `select product_id as "productId" from product_import_rows where import_id = ? and line = ?`,
          [importId, line],
        )
      )[0],
    )
    const product = await tx.findOne(
      Product,
      { id: productId, archivedAt: null },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    )
    // An undo that began meanwhile has waited for the product or has it by now.
    const fetched = await tx.execute<Fetched[]>(
      `select i.place, i.address, i.alt, i.stored_as as "storedAs", i.is_given as "isGiven",
              jsonb_build_object('id', m.created_by, 'name', m.created_by_name) as actor
       from ${OF_APPLIED} and i.line = ? and i.stored_as is not null order by i.place`,
      [importId, line],
    )
    if (fetched.length === 0) return
    if (product) await show(fetching, tx, { importId, line }, product, fetched)
    await tx.execute(
      `update product_import_pictures i set is_given = true where i.import_id = ? and i.line = ? and i.stored_as is not null`,
      [importId, line],
    )
  })
}

async function show(
  fetching: Fetching,
  tx: EntityManager,
  { importId, line }: { importId: string; line: number },
  product: Product,
  fetched: readonly Fetched[],
): Promise<void> {
  const { id, version } = product
  const before = JSON.stringify(product.storedPictures)
  const pictures = withFetched(product.pictures, fetched)
  if (!pictures) return
  await patchProduct({ ...fetching, em: tx }, nth(fetched, 0).actor, id, { pictures, version })
  // So that the import can still be undone: nobody but the import has changed the product.
  await tx.execute(
    `update product_import_rows set before = jsonb_build_object('pictures', ?::jsonb) || before,
       applied_version = case when applied_version = ? then ? else applied_version end
     where import_id = ? and line = ?`,
    [before, version, version + 1, importId, line],
  )
}

type Shown = Pick<ProductPicture, 'image' | 'alt'>

/**
 * A product's pictures with those that were fetched: the first instead of its address, unless another was chosen meanwhile,
 * the others behind what is there, in their order, as far as there is room. Null when none is new.
 */
function withFetched(pictures: readonly Shown[], fetched: readonly Fetched[]): Shown[] | null {
  const shown = pictures.map(({ image, alt }) => ({ image, alt }))
  const placeOf = (image: string) => shown.findIndex(each => each.image === image)
  const isNew = ({ storedAs, isGiven }: Fetched) => !isGiven && placeOf(storedAs) < 0
  const ofAddress = fetched.find(each => each.place === 0 && isNew(each) && placeOf(each.address) === 0)
  if (ofAddress) shown[0] = { image: ofAddress.storedAs, alt: nth(shown, 0).alt || ofAddress.alt }
  const others = fetched.filter(({ place }) => place > 0)
  const fitting = others.filter(isNew).slice(0, ownerLimits.pictures - shown.length)
  // One that comes later than others goes before those that are behind it.
  let behind = shown.length
  for (const other of others.toReversed()) {
    if (fitting.includes(other)) shown.splice(behind, 0, { image: other.storedAs, alt: other.alt })
    else if (placeOf(other.storedAs) > 0) behind = placeOf(other.storedAs)
  }
  return ofAddress || fitting.length > 0 ? shown : null
}

/** Has what could not be fetched tried again, as often as at first. */
export async function fetchPicturesAgain(em: EntityManager, jobs: Jobs, id: string): Promise<ProductImport> {
  return em.transactional(async tx => {
    const known = isId(id) ? await tx.findOne(ProductImport, { id }) : null
    if (!known) throw refuse('NOT_FOUND', 'There is no such import.')
    if (known.status !== 'APPLIED')
      throw refuse('IMPORT_STATE', 'Pictures are fetched once an import is applied.', {
        details: { productImport: known },
      })
    await tx.execute(
      `update product_import_pictures i set problem = null, tries = 0 where i.import_id = ? and ${NOT_FETCHED}`,
      [id],
    )
    await fetchPicturesLater(jobs, tx, id)
    return known
  })
}

/** How many pictures applying an import fetches, or is still to fetch. */
export async function countToFetch(em: EntityManager, { id, status }: ProductImport): Promise<number> {
  return status === 'UNDOING' || status === 'UNDONE' ? 0 : countPictures(em, id, TO_FETCH)
}

/** How many could not be fetched. */
export const countNotFetched = (em: EntityManager, { id }: ProductImport) => countPictures(em, id, NOT_FETCHED)

async function countPictures(em: EntityManager, importId: string, where: string): Promise<number> {
  const [row] = await em.execute<{ count: number }[]>(
    `select count(*)::int as count from product_import_pictures i where i.import_id = ? and ${where}`,
    [importId],
  )
  return present(row).count
}
