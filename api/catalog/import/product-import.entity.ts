import { defineEntity, p } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { clock } from '../../kernel/clock.ts'
import type { ImportStatus } from '../../generated/types.ts'

const ProductImportSchema = defineEntity({
  name: 'ProductImport',
  tableName: 'product_imports',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    fileName: p.text(),
    status: p.text().$type<ImportStatus>(),
    createdAt: p.datetime().onCreate(() => clock.now()),
    createdById: p.uuid().fieldName('created_by'),
    createdBy: p.text().fieldName('created_by_name'),
    appliedAt: p.datetime().nullable(),
    undoneAt: p.datetime().nullable(),
    totalRows: p.integer(),
    creates: p.integer(),
    updates: p.integer(),
    unchanged: p.integer(),
    refused: p.integer(),
    /** Written outside the transaction that applies, so that others can watch it. */
    appliedRows: p.integer().default(0),
    progressAt: p.datetime().nullable(),
  },
})

/** A spreadsheet of products: read, checked and kept, to be applied and undone. Its rows are read and written by SQL only. */
export class ProductImport extends ProductImportSchema.class {}
ProductImportSchema.setClass(ProductImport)
