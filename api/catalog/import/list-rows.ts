import type { EntityManager } from '@mikro-orm/postgresql'
import { present } from '#schema/rules/present'
import type { ImportRow, ProductImportRowsArgs } from '../../generated/types.ts'
import { pageOfRows, type Page } from '../../query/paging.ts'
import type { ProductImport } from './product-import.entity.ts'
import { ROWS_PAGE } from '../../query/page-sizes.ts'

type Row = Pick<ImportRow, 'line' | 'action' | 'sku' | 'name' | 'changes' | 'reasons'> & {
  product_id: string | null
  picture_problem: string | null
}

/** The rows of an import in the order of the file. */
export async function listRows(
  em: EntityManager,
  { id, status }: ProductImport,
  { action, pictureNotFetched }: Pick<ProductImportRowsArgs, 'action' | 'pictureNotFetched'>,
  page: number,
): Promise<Page<ImportRow>> {
  const made = status !== 'READY' && status !== 'APPLYING'
  const { rows, ...rest } = await pageOfRows<Row>(em, {
    from: 'product_import_rows',
    key: 'import_id, line',
    where: [
      ['import_id = ?', id],
      action && ['action = ?', action],
      pictureNotFetched && ['picture_problem is not null'],
    ],
    order: 'line',
    page,
    pageSize: ROWS_PAGE,
  })
  // The id of a product to be created is reserved in the preview, but leads nowhere before it exists.
  const items = rows.map(({ product_id, picture_problem, ...row }) => ({
    ...row,
    pictureProblem: picture_problem,
    productId: row.action === 'CREATE' && !made ? null : product_id,
  }))
  return { items, ...rest }
}

/** How many values blank cells erase. */
export async function countErasures(em: EntityManager, { id }: ProductImport): Promise<number> {
  const [row] = await em.execute<{ erased: number }[]>(
    `select count(*)::int as erased from product_import_rows r, jsonb_array_elements(r.changes) c
     where r.import_id = ? and r.action = 'UPDATE' and coalesce(c ->> 'after', '') = ''`,
    [id],
  )
  return present(row).erased
}
