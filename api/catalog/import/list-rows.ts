import type { EntityManager } from '@mikro-orm/postgresql'
import { present } from '#schema/rules/present'
import type { ImportRow, ProductImportRowsArgs } from '../../generated/types.ts'
import { pageOfRows, type Page } from '../../query/paging.ts'
import type { ProductImport } from './product-import.entity.ts'
import { ROWS_PAGE } from '../../query/page-sizes.ts'

type Row = Pick<ImportRow, 'line' | 'action' | 'sku' | 'name' | 'changes' | 'reasons'> & {
  product_id: string | null
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
      pictureNotFetched && [
        'line = any (array(select line from product_import_pictures where import_id = ? and problem is not null))',
        id,
      ],
    ],
    order: 'line',
    page,
    pageSize: ROWS_PAGE,
  })
  // The id of a product to be created is reserved in the preview, but leads nowhere before it exists.
  const problems = await pictureProblems(
    em,
    id,
    rows.map(({ line }) => line),
  )
  const items = rows.map(({ product_id, ...row }) => ({
    ...row,
    pictureProblem: problems.get(row.line) ?? null,
    productId: row.action === 'CREATE' && !made ? null : product_id,
  }))
  return { items, ...rest }
}

/** Why pictures of these rows could not be fetched, by line, with the numbers of others than the first. */
async function pictureProblems(em: EntityManager, id: string, lines: readonly number[]): Promise<Map<number, string>> {
  const problems = await em.execute<{ line: number; problem: string; places: number[] }[]>(
    `select i.line, i.problem, array_agg(i.place order by i.place) as places from product_import_pictures i
     where i.import_id = ? and i.line in (select jsonb_array_elements_text(?::jsonb)::integer) and i.problem is not null
     group by i.line, i.problem order by i.line, min(i.place)`,
    [id, JSON.stringify(lines)],
  )
  const byLine = new Map<number, string[]>()
  for (const { line, problem, places } of problems) {
    const numbers = and.format(places.map(place => String(place + 1)))
    const said = numbers === '1' ? problem : `${places.length > 1 ? 'Pictures' : 'Picture'} ${numbers}: ${problem}`
    byLine.set(line, [...(byLine.get(line) ?? []), said])
  }
  return new Map([...byLine].map(([line, said]) => [line, said.join(' ')]))
}

const and = new Intl.ListFormat('en')

/** How many values blank cells erase. */
export async function countErasures(em: EntityManager, { id }: ProductImport): Promise<number> {
  const [row] = await em.execute<{ erased: number }[]>(
    `select count(*)::int as erased from product_import_rows r, jsonb_array_elements(r.changes) c
     where r.import_id = ? and r.action = 'UPDATE' and coalesce(c ->> 'after', '') = ''`,
    [id],
  )
  return present(row).erased
}
