import { readFileSync } from 'node:fs'
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { schema } from '../schema.ts'
import { breaksOf, recordedIn, unrecorded } from './contract-changes.ts'
import { comparedWithRelease } from './contract-files.ts'
import { restBreaks, type Document } from './rest-changes.ts'
import { present } from '#schema/rules/present'

describe('the contract', () => {
  let compared: Awaited<ReturnType<typeof comparedWithRelease>>
  beforeAll(async () => {
    compared = await comparedWithRelease(schema)
  })

  it('breaks no client of the last release, unless docs/contract/changes.md says from when', () => {
    expect(compared.unrecorded).toEqual([])
  })

  it('was written down for the version there is: `npm run release-contract`', () => {
    const file = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
    const { version } = JSON.parse(file('package.json')) as { version: string }
    const [, changelog = version] = /^## (\d+\.\d+\.\d+)/m.exec(file('CHANGELOG.md')) ?? []
    expect([compared.release.version, changelog]).toEqual([version, version])
  })

  it('says when and why what is deprecated goes', () => {
    expect(undated(schema)).toEqual([])
  })
})

interface Member {
  name: string
  deprecationReason?: string | null | undefined
  args?: readonly Member[]
}

function membersOf(type: GraphQLNamedType): readonly Member[] {
  if (isEnumType(type)) return type.getValues()
  return isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? Object.values(type.getFields()) : []
}

const undated = (of: GraphQLSchema): string[] => [
  ...Object.values(of.getTypeMap()).flatMap(type => undatedMembers(type.name, membersOf(type))),
  ...of.getDirectives().flatMap(({ name, args }) => undatedMembers(`@${name}`, args)),
]

const undatedMembers = (of: string, members: readonly Member[]): string[] =>
  members.flatMap(({ name, deprecationReason, args = [] }) => [
    ...(deprecationReason != null && !/\d{4}-\d{2}-\d{2}/.test(deprecationReason) ? [`${of}.${name}`] : []),
    ...undatedMembers(`${of}.${name}`, args),
  ])

describe('the gate', () => {
  const KEPT = 'enum Ply { TWO FOUR } input Cast { rows: Int = 2, inches: Int }'
  const YARN = 'type Yarn { name: String! gauge: String }'
  const was = buildSchema(`type Query { yarn(id: ID, ply: Ply = TWO): Yarn swatch(cast: Cast): Int } ${YARN} ${KEPT}`)
  const breaks = (now: string, recorded = '') =>
    unrecorded(breaksOf(was, buildSchema(now)), recordedIn(recorded), '2026-11-21')
  const QUERY = 'type Query { yarn(id: ID, ply: Ply = TWO): Yarn swatch(cast: Cast): Int }'

  test.each([
    ['a field that went', `${QUERY} type Yarn { name: String! } ${KEPT}`, 'Yarn.gauge was removed.'],
    [
      'a null that was none',
      `${QUERY} type Yarn { name: String gauge: String } ${KEPT}`,
      'Yarn.name changed type from String! to String.',
    ],
    [
      'an argument that is required',
      `${QUERY.replace('id: ID', 'id: ID!')} ${YARN} ${KEPT}`,
      'Query.yarn arg id has changed type from ID to ID!.',
    ],
    ['a value that went', `${QUERY} ${YARN} ${KEPT.replace(' FOUR', '')}`, 'FOUR was removed from enum type Ply.'],
    [
      'another default of an argument',
      `${QUERY.replace('= TWO', '= FOUR')} ${YARN} ${KEPT}`,
      'Query.yarn arg ply has changed defaultValue from TWO to FOUR.',
    ],
    [
      'another default of an input',
      `${QUERY} ${YARN} ${KEPT.replace('= 2', '= 4')}`,
      'Cast.rows has changed defaultValue.',
    ],
    [
      'one of many instead of any',
      `${QUERY} ${YARN} enum Ply { TWO FOUR } input Cast @oneOf { rows: Int, inches: Int }`,
      'Cast became @oneOf.',
    ],
    [
      'a query that went',
      `type Query { yarn(id: ID, ply: Ply = TWO): Yarn } ${YARN} ${KEPT}`,
      'Query.swatch was removed.',
    ],
  ])('stops %s, until it is recorded with a date', (_what, now, change) => {
    expect(breaks(now)).toContain(change)
    expect(breaks(now, `# Changes\n- ${change}\n`)).toContain(change)
    expect(breaks(now, `# Changes\n- 2027-01-31: ${change}\n`)).not.toContain(change)
  })

  it('takes no date that had passed when the release went out', () => {
    const now = `${QUERY} type Yarn { name: String! } ${KEPT}`
    expect(breaks(now, '- 2026-11-20: Yarn.gauge was removed.')).toEqual(['Yarn.gauge was removed.'])
  })

  it('lets additions pass', () => {
    expect(
      breaks(
        `${QUERY.replace('id: ID', 'id: ID, sku: String')} type Yarn { name: String! gauge: String! dye: String } enum Ply { TWO FOUR EIGHT } input Cast { rows: Int = 2, inches: Int, loose: Boolean }`,
      ),
    ).toEqual([])
  })

  it.each([
    'type Query { yarn: Int @deprecated(reason: "Use `skein`.") }',
    'type Query { yarn(ply: Int @deprecated(reason: "Use `weight`.")): Int }',
    'type Query implements Yarn { yarn: Int } interface Yarn { yarn: Int @deprecated }',
    'type Query { yarn(cast: Cast): Int } input Cast { rows: Int @deprecated(reason: "Count.") }',
    'type Query { ply: Ply } enum Ply { TWO @deprecated }',
  ])('stops a deprecation without a date: %s', text => {
    expect(undated(buildSchema(text))).toHaveLength(1)
    const dated = text.replace(/@deprecated(\(reason: "[^"]*"\))?/, '@deprecated(reason: "Goes on 2027-01-31.")')
    expect(undated(buildSchema(dated))).toEqual([])
  })
})

describe('the gate of REST and webhooks', () => {
  const released = (): Document => ({
    paths: {
      '/api/yarns': {
        get: {
          parameters: [{ name: 'ply', in: 'query', schema: { type: 'string', maxLength: 20 } }],
          responses: { 200: json({ $ref: '#/components/schemas/Yarn' }) },
        },
        post: {
          requestBody: json({
            type: 'object',
            properties: {
              name: { type: 'string' },
              ply: { enum: ['TWO', 'FOUR'] },
              price: { type: ['number', 'string'] },
            },
            required: ['name'],
          }),
          responses: { 201: json({ $ref: '#/components/schemas/Yarn' }) },
        },
      },
    },
    webhooks: { 'yarn.wound': { post: { requestBody: json({ $ref: '#/components/schemas/Yarn' }) } } },
    components: {
      schemas: {
        Yarn: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            gauge: { type: ['string', 'null'] },
            plies: { type: 'array', items: { type: 'integer' } },
          },
          required: ['name', 'gauge', 'plies'],
        },
      },
    },
  })
  const json = (schema: Record<string, unknown>) => ({ content: { 'application/json': { schema } } })
  /** What breaks when places of the document change. A place without a value is removed. */
  const changed = (...changes: [place: string, value?: unknown][]) => {
    const now = released()
    for (const [place, value] of changes) {
      const path = place.split(' ')
      const last = present(path.pop())
      let within = now as Record<string, unknown>
      for (const key of path) within = within[key] as Record<string, unknown>
      within[last] = value
    }
    return restBreaks(released(), JSON.parse(JSON.stringify(now)))
  }
  const LIST = 'paths /api/yarns get'
  const MAKE = 'paths /api/yarns post'
  const BODY = `${MAKE} requestBody content application/json schema`
  const YARN = 'components schemas Yarn'

  test.each<[string, string, [place: string, value?: unknown]]>([
    ['a call that went', 'POST /api/yarns was removed.', [MAKE]],
    ['a status that went', 'POST /api/yarns no longer answers 201.', [`${MAKE} responses`, { 200: {} }]],
    ['a field of an answer that went', 'GET /api/yarns 200.gauge was removed.', [`${YARN} properties gauge`]],
    ['a field that may be left out', 'GET /api/yarns 200.name may be left out.', [`${YARN} required`, ['gauge']]],
    [
      'a null that was none',
      'GET /api/yarns 200.name is string or null, and was string.',
      [`${YARN} properties name type`, ['string', 'null']],
    ],
    [
      'another type within a list',
      'GET /api/yarns 200.plies[] is string, and was integer.',
      [`${YARN} properties plies items type`, 'string'],
    ],
    ['a parameter that went', 'GET /api/yarns no longer takes ply.', [`${LIST} parameters`, []]],
    [
      'a parameter that is demanded',
      'GET /api/yarns demands dye.',
      [`${LIST} parameters 1`, { name: 'dye', in: 'query', required: true }],
    ],
    ['a shorter text', 'GET /api/yarns ply has another maxLength: 10.', [`${LIST} parameters 0 schema maxLength`, 10]],
    ['a field that is demanded', 'POST /api/yarns body.price is demanded.', [`${BODY} required`, ['name', 'price']]],
    ['a field not taken any more', 'POST /api/yarns body.price was removed.', [`${BODY} properties price`]],
    [
      'a type not taken any more',
      'POST /api/yarns body.price is number, and was number or string.',
      [`${BODY} properties price type`, 'number'],
    ],
    [
      'a value not taken any more',
      'POST /api/yarns body.ply no longer takes FOUR.',
      [`${BODY} properties ply enum`, ['TWO']],
    ],
    [
      'a limit where there was none',
      'POST /api/yarns body.name has another maxLength: 100.',
      [`${BODY} properties name maxLength`, 100],
    ],
    ['a word of an event that went', 'event yarn.wound.name was removed.', [`${YARN} properties name`]],
    ['an event that went', 'The event yarn.wound was removed.', ['webhooks yarn.wound']],
  ])('stops %s', (_what, message, change) => {
    expect(changed(change)).toContain(message)
  })

  it('lets additions pass', () => {
    expect(
      changed(
        [`${YARN} properties dye`, { type: 'string' }],
        [`${YARN} properties gauge type`, 'string'],
        [`${BODY} properties dye`, { type: 'string' }],
        [`${BODY} properties name type`, ['string', 'number']],
        [`${BODY} properties ply enum`, ['TWO', 'FOUR', 'EIGHT']],
        [`${LIST} parameters 1`, { name: 'dye', in: 'query' }],
        [`${LIST} responses 429`, {}],
        ['webhooks yarn.dyed', {}],
      ),
    ).toEqual([])
  })
})
