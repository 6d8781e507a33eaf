import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MikroORM } from '@mikro-orm/postgresql'
import { ownDatabase } from '../testing/shop.ts'
import { connect } from './config.ts'

interface Column {
  table_name: string
  column_name: string
  is_nullable: 'YES' | 'NO'
}

let database: Awaited<ReturnType<typeof ownDatabase>>
let orm: MikroORM
let columns: Column[]

beforeAll(async () => {
  database = await ownDatabase()
  orm = await connect(database.url)
  columns = await orm.em
    .fork()
    .execute<Column[]>(
      "select table_name, column_name, is_nullable from information_schema.columns where table_schema = 'public'",
    )
})

afterAll(async () => {
  await orm.close()
  await database.drop()
})

/** What the entities say about their tables: `orders.paid_at` and whether it may be null. */
function declared() {
  const tables = [...orm.getMetadata().getAll().values()].filter(({ abstract, tableName }) => !abstract && tableName)
  return tables.flatMap(({ tableName, props }) =>
    props
      .filter(({ persist, fieldNames }) => persist !== false && fieldNames?.length)
      .flatMap(({ fieldNames, nullable }) =>
        fieldNames.map(name => ({ name: `${tableName}.${name}`, nullable: Boolean(nullable) })),
      ),
  )
}

const inDatabase = () =>
  columns.map(({ table_name, column_name, is_nullable }) => ({
    name: `${table_name}.${column_name}`,
    nullable: is_nullable === 'YES',
  }))

describe('entities and the database', () => {
  it('every property has its column, by a migration', () => {
    const known = new Set(inDatabase().map(({ name }) => name))
    expect(declared().length).toBeGreaterThan(100)
    expect(
      declared()
        .map(({ name }) => name)
        .filter(name => !known.has(name)),
    ).toEqual([])
  })

  it('agree about what may be missing', () => {
    const may = new Map(inDatabase().map(({ name, nullable }) => [name, nullable]))
    expect(declared().filter(({ name, nullable }) => may.get(name) !== nullable)).toEqual([])
  })

  it('every column without a default that must not be null has a property that fills it', async () => {
    const mapped = new Set(declared().map(({ name }) => name))
    const tables = new Set(declared().map(({ name }) => name.split('.')[0]))
    const rows = await orm.em
      .fork()
      .execute<Column[]>(
        "select table_name, column_name from information_schema.columns where table_schema = 'public' and is_nullable = 'NO' and column_default is null and is_identity = 'NO' and is_generated = 'NEVER'",
      )
    const names = rows
      .filter(({ table_name }) => tables.has(table_name))
      .map(({ table_name, column_name }) => `${table_name}.${column_name}`)
    expect(names.filter(name => !mapped.has(name))).toEqual([])
  })
})
