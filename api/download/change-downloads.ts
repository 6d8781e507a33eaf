import type { EntityManager } from '@mikro-orm/postgresql'
import type { FileUpload } from 'graphql-upload-minimal'
import { ownerLimits } from '#schema/rules/owner-limits'
import { download } from '#schema/rules/shapes/download'
import { recordAudit, type Actor } from '../audit/record-audit.ts'
import { recordProductChanges } from '../catalog/product-event.ts'
import type { Product, ProductDownload } from '../catalog/product.entity.ts'
import { lockProduct } from '../catalog/save-product.ts'
import type { Context } from '../context.ts'
import { openUpload } from '../http/multipart.ts'
import { refuse } from '../kernel/errors.ts'
import { check } from '../kernel/validation.ts'
import { storeDownload } from './download-files.ts'

/** Adds a PDF to a product; it is called as the file is. */
export async function addDownload(
  { em, uploads }: Pick<Context, 'em' | 'uploads'>,
  actor: Actor,
  productId: string,
  file: Promise<FileUpload>,
): Promise<Product> {
  const { name, content } = await openUpload(file)
  const added = { title: titleOf(name), ...(await storeDownload(uploads, content)) }
  return change(em, actor, productId, before => {
    if (before.length >= ownerLimits.download.perProduct)
      throw refuse('INVALID', `A product has at most ${ownerLimits.download.perProduct} downloads.`, {
        field: ['file'],
      })
    return [...before, added]
  })
}

export function renameDownload(
  em: EntityManager,
  actor: Actor,
  productId: string,
  id: string,
  given: string,
): Promise<Product> {
  const { title } = check(download, { title: given })
  return change(em, actor, productId, before => before.with(placeOf(before, id), { ...found(before, id), title }))
}

/** Its file is cleared away by sweepDownloads. */
export function removeDownload(em: EntityManager, actor: Actor, productId: string, id: string): Promise<Product> {
  return change(em, actor, productId, before => before.toSpliced(placeOf(before, id), 1))
}

type Downloads = readonly ProductDownload[]

const placeOf = (downloads: Downloads, id: string) => downloads.indexOf(found(downloads, id))

function found(downloads: Downloads, id: string): ProductDownload {
  const download = downloads.find(each => each.id === id)
  if (!download) throw refuse('NOT_FOUND', 'There is no such download.')
  return download
}

function change(
  em: EntityManager,
  actor: Actor,
  productId: string,
  changed: (before: Downloads) => ProductDownload[],
): Promise<Product> {
  return em.transactional(async tx => {
    const product = await lockProduct(tx, productId)
    const before = inWords(product.downloads)
    product.downloads = changed(product.downloads)
    const after = inWords(product.downloads)
    if (after === before) return product
    product.version += 1
    await tx.flush()
    await recordAudit(tx, actor, {
      entity: 'PRODUCT',
      entityId: product.id,
      label: product.name,
      action: 'UPDATED',
      changes: [{ field: 'downloads', before, after }],
    })
    await recordProductChanges(tx, [product.id])
    return product
  })
}

const inWords = (downloads: Downloads) => downloads.map(({ title }) => title).join(', ')

/** The name of a file without its ending; one that cannot be kept is put in other words. */
function titleOf(name: string): string {
  const title = name.replace(/\.pdf$/i, '').slice(0, ownerLimits.download.title)
  return download.shape.title.safeParse(title).data ?? 'Pattern'
}
