import { readFileSync } from 'node:fs'
import { buildSchema, isEnumType, isInputObjectType, isObjectType } from 'graphql'
import { describe, expect, it, test } from 'vitest'
import { recordedIn, unrecordedBreaks } from './contract-changes.ts'
import { schema } from '../schema.ts'

const read = (file: string) => readFileSync(new URL(`../../docs/contract/${file}`, import.meta.url), 'utf8')
const released = buildSchema(read('released.graphql'))

describe('the contract', () => {
  it('breaks no client of the last release, unless docs/contract/changes.md says from when', () => {
    expect(unrecordedBreaks(released, schema, recordedIn(read('changes.md')))).toEqual([])
  })

  it('says when and why what is deprecated goes', () => {
    const members = Object.values(schema.getTypeMap())
      .filter(type => !type.name.startsWith('__'))
      .flatMap(type => {
        const inner =
          isObjectType(type) || isInputObjectType(type)
            ? Object.values(type.getFields())
            : isEnumType(type)
              ? type.getValues()
              : []
        return inner.map(({ name, deprecationReason }) => ({ member: `${type.name}.${name}`, deprecationReason }))
      })
    expect(
      members.filter(
        ({ deprecationReason }) => deprecationReason != null && !/\d{4}-\d{2}-\d{2}/.test(deprecationReason),
      ),
    ).toEqual([])
  })
})

describe('the gate', () => {
  const was = buildSchema(
    'type Query { yarn(id: ID): Yarn } type Yarn { name: String! gauge: String } enum Ply { TWO FOUR }',
  )
  const breaks = (now: string, recorded: string[] = []) => unrecordedBreaks(was, buildSchema(now), recorded)

  test.each([
    [
      'a field that went',
      'type Query { yarn(id: ID): Yarn } type Yarn { name: String! } enum Ply { TWO FOUR }',
      'Yarn.gauge was removed.',
    ],
    [
      'a null that was none',
      'type Query { yarn(id: ID): Yarn } type Yarn { name: String gauge: String } enum Ply { TWO FOUR }',
      'Yarn.name changed type from String! to String.',
    ],
    [
      'an argument that is required',
      'type Query { yarn(id: ID!): Yarn } type Yarn { name: String! gauge: String } enum Ply { TWO FOUR }',
      'Query.yarn arg id has changed type from ID to ID!.',
    ],
    [
      'a value that went',
      'type Query { yarn(id: ID): Yarn } type Yarn { name: String! gauge: String } enum Ply { TWO }',
      'FOUR was removed from enum type Ply.',
    ],
  ])('stops %s, until it is recorded with a date', (_what, now, change) => {
    expect(breaks(now)).toEqual([change])
    expect(breaks(now, recordedIn(`# Changes\n- ${change}\n`))).toEqual([change])
    expect(breaks(now, recordedIn(`# Changes\n- 2027-01-31: ${change}\n`))).toEqual([])
  })

  it('lets additions pass', () => {
    expect(
      breaks(
        'type Query { yarn(id: ID, sku: String): Yarn } type Yarn { name: String! gauge: String! dye: String } enum Ply { TWO FOUR EIGHT }',
      ),
    ).toEqual([])
  })
})
