import { Readable } from 'node:stream'
import type { EntityManager } from '@mikro-orm/postgresql'
import { limits } from '#schema/rules/limits'
import { present } from '#schema/rules/present'
import type { Actor } from '../../audit/record-audit.ts'
import type { Services } from '../../context.ts'
import { askOnce } from '../../http/open-line.ts'
import { ForbiddenAddress, UnknownHost } from '../../http/public-address.ts'
import { clock } from '../../kernel/clock.ts'
import { Refusal, refuse } from '../../kernel/errors.ts'
import { isId } from '../../kernel/validation.ts'
import type { Jobs } from '../../jobs/jobs.ts'
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
/** Rows that are looked through for the next few addresses: variants of one product often share a picture. */
const LOOK_AHEAD = 200

export interface Fetch {
  importId: string
  /** Number of the try, from 1. */
  tries: number
}

/** Has the pictures of an import that are at other hosts fetched once the transaction of `em` has committed, if there are any. */
export async function fetchPicturesLater(jobs: Jobs, em: EntityManager, importId: string): Promise<void> {
  const [waiting] = await addressesWaiting(em, { importId, tries: TRIES })
  if (waiting !== undefined) await jobs.add(em, FETCH_QUEUE, { importId, tries: 1 } satisfies Fetch)
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
    if (addresses.length === 0) break
    await Promise.all(addresses.map(address => fetchOne({ ...fetching, em: em.fork() }, fetch, address)))
    if (performance.now() - begun > JOB_MS) return jobs.add(em, FETCH_QUEUE, fetch)
  }
  const next = { importId: fetch.importId, tries: fetch.tries + 1 }
  const [left] = await addressesWaiting(em.fork(), next)
  if (left !== undefined)
    await jobs.add(em, FETCH_QUEUE, next, { startAfter: new Date(clock.now().getTime() + waitMs(fetch.tries)) })
}

const WAITING = 'r.picture_from is not null and r.picture_as is null and r.picture_problem is null'
const NOT_FETCHED = 'r.picture_problem is not null'

/** The next few that were tried less often than this. */
async function addressesWaiting(em: EntityManager, { importId, tries }: Fetch): Promise<string[]> {
  const rows = await em.execute<{ address: string }[]>(
    `select r.picture_from as address from product_import_rows r join product_imports m on m.id = r.import_id
     where r.import_id = ? and m.status = 'APPLIED' and ${WAITING} and r.picture_tries < ? order by r.line limit ${LOOK_AHEAD}`,
    [importId, tries],
  )
  return [...new Set(rows.map(({ address }) => address))].slice(0, AT_ONCE)
}

async function fetchOne(fetching: Fetching, { importId, tries }: Fetch, address: string): Promise<void> {
  const { em, uploads, webhookReach } = fetching
  try {
    const picture = await pictureAt(address, webhookReach)
    const { image } = await storePicture(uploads, Readable.from([picture]))
    await give(fetching, importId, address, image)
  } catch (error) {
    if (!(error instanceof Unfetched || error instanceof Refusal)) throw error
    const isOver = !(error instanceof Unfetched && error.isForNow) || tries >= TRIES
    await em.execute(
      `update product_import_rows r set picture_tries = ?, picture_problem = ? where r.import_id = ? and ${WAITING} and r.picture_from = ?`,
      [tries, isOver ? error.message : null, importId, address],
    )
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

/** Gives a picture to all products of the import that show the address. */
async function give(fetching: Fetching, importId: string, address: string, image: string): Promise<void> {
  const { em } = fetching
  const rows = await em.execute<{ line: number; productId: string }[]>(
    `select r.line, r.product_id as "productId" from product_import_rows r where r.import_id = ? and ${WAITING} and r.picture_from = ? order by r.product_id`,
    [importId, address],
  )
  for (const { line, productId } of rows) {
    await em.fork().transactional(async tx => {
      const [showing] = await tx.execute<{ version: number; actor: Actor }[]>(
        `select p.version, jsonb_build_object('id', m.created_by, 'name', m.created_by_name) as actor
         from products p, product_imports m
         where p.id = ? and p.image = ? and p.archived_at is null and m.id = ? and m.status = 'APPLIED' for update of p`,
        [productId, address, importId],
      )
      if (!showing) return letGo(tx, importId, line)
      const { actor, version } = showing
      const product = await patchProduct({ ...fetching, em: tx }, actor, productId, { image, version })
      // So that the import can still be undone: nobody but the import has changed the product.
      await tx.execute(
        `update product_import_rows set picture_as = ?, applied_version = case when applied_version = ? then ? else applied_version end
         where import_id = ? and line = ?`,
        [image, version, product.version, importId, line],
      )
    })
  }
}

/** The product has another picture by now, or is not there any more. */
const letGo = (em: EntityManager, importId: string, line: number) =>
  em.execute('update product_import_rows set picture_from = null where import_id = ? and line = ?', [importId, line])

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
      `update product_import_rows r set picture_problem = null, picture_tries = 0 where r.import_id = ? and ${NOT_FETCHED}`,
      [id],
    )
    await fetchPicturesLater(jobs, tx, id)
    return known
  })
}

/** How many pictures applying an import fetches, or is still to fetch. */
export async function countToFetch(em: EntityManager, { id, status }: ProductImport): Promise<number> {
  return status === 'UNDOING' || status === 'UNDONE' ? 0 : countRows(em, id, WAITING)
}

/** How many could not be fetched. */
export const countNotFetched = (em: EntityManager, { id }: ProductImport) => countRows(em, id, NOT_FETCHED)

async function countRows(em: EntityManager, importId: string, where: string): Promise<number> {
  const [row] = await em.execute<{ count: number }[]>(
    `select count(*)::int as count from product_import_rows r where r.import_id = ? and ${where}`,
    [importId],
  )
  return present(row).count
}
