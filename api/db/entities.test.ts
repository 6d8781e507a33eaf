import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MikroORM } from '@mikro-orm/postgresql'
import { ownDatabase } from '../testing/shop.ts'
import { connect } from './config.ts'

/** A column as PostgreSQL describes it. */
interface Column {
  table: string
  column: string
  /** With its length or precision. */
  type: string
  nullable: boolean
  default: string | null
  /** Whether PostgreSQL numbers or computes it. */
  filled: boolean
}

let database: Awaited<ReturnType<typeof ownDatabase>>
let orm: MikroORM
/** By name, such as `orders.paid_at`. */
let columns: Map<string, Column>
/** What the entities say, in tables made from that alone, so that PostgreSQL words both alike. */
let declared: Map<string, Column>

beforeAll(async () => {
  database = await ownDatabase()
  orm = await connect(database.url)
  await makeDeclared()
  columns = await readColumns('public')
  declared = await readColumns('declared')
})

afterAll(async () => {
  await orm.close()
  await database.drop()
})

async function readColumns(schema: string): Promise<Map<string, Column>> {
  const rows = await orm.em.fork().execute<Column[]>(
    `select t.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable,
       -- MikroORM puts the default of a bigint in quotes.
       regexp_replace(pg_get_expr(d.adbin, d.adrelid), '^''(\\d+)''::bigint$', '\\1') as default, a.attidentity <> '' or a.attgenerated <> '' as filled
     from pg_attribute a join pg_class t on t.oid = a.attrelid
     left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where t.relnamespace = ?::regnamespace and t.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`,
    [schema],
  )
  return new Map(rows.map(row => [`${row.table}.${row.column}`, row]))
}

async function makeDeclared() {
  const lines = new Map<string, Set<string>>()
  for (const { abstract, tableName, props } of orm.getMetadata().getAll().values()) {
    if (abstract || !tableName) continue
    const table = lines.get(tableName) ?? new Set()
    lines.set(tableName, table)
    for (const { persist, fieldNames, columnTypes, nullable, defaultRaw } of props) {
      if (persist === false) continue
      for (const [at, name] of (fieldNames ?? []).entries())
        table.add(
          // PostgreSQL numbers what the entity calls serial; by which of its two ways is the migration's choice.
          `"${name}" ${columnTypes[at]?.replace(/^serial$/, 'int')} ${nullable ? 'null' : 'not null'} ${defaultRaw === undefined ? '' : `default ${defaultRaw}`}`,
        )
    }
  }
  await orm.em.fork().execute('create schema declared')
  for (const [table, each] of lines)
    await orm.em.fork().execute(`create table declared."${table}" (${[...each].join(', ')})`)
}

/** Where entities and tables say something else. */
const differences = (said: (column: Column) => unknown, of: (column: Column) => boolean = () => true) =>
  [...declared].flatMap(([name, entity]) => {
    const column = columns.get(name)
    return column && of(entity) && said(entity) !== said(column)
      ? [{ name, entity: said(entity), database: said(column) }]
      : []
  })

describe('entities and the database', () => {
  it('every property has its column, by a migration', () => {
    expect(declared.size).toBeGreaterThan(300)
    expect([...declared.keys()].filter(name => !columns.has(name))).toEqual([])
  })

  it('agree about what may be missing', () => {
    expect(differences(({ nullable }) => nullable)).toEqual([])
  })

  it('agree about types and lengths', () => {
    expect(differences(({ type }) => type)).toEqual([])
  })

  it('agree about what is there when a property was not set', () => {
    expect(
      differences(
        column => column.default,
        entity => entity.default !== null,
      ),
    ).toEqual([])
  })

  it('every column without a default that must not be null has a property that fills it', () => {
    const tables = new Set([...declared.values()].map(({ table }) => table))
    const unfilled = [...columns].filter(
      ([, column]) => tables.has(column.table) && !column.nullable && column.default === null && !column.filled,
    )
    expect(unfilled.map(([name]) => name).filter(name => !declared.has(name))).toEqual([])
  })
})
