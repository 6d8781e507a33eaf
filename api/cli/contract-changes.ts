import {
  DangerousChangeType,
  findBreakingChanges,
  findDangerousChanges,
  isInputObjectType,
  type GraphQLSchema,
} from 'graphql'
import { present } from '#schema/rules/present'

/** The lines of docs/contract/changes.md that count: `- 2026-11-21: the change, as the test words it`. */
export interface Recorded {
  /** From when it holds. */
  date: string
  change: string
}

export const recordedIn = (markdown: string): Recorded[] =>
  [...markdown.matchAll(/^- (\d{4}-\d{2}-\d{2}): (.+)$/gm)].map(([, date, change]) => ({
    date: present(date),
    change: present(change).trim(),
  }))

/** What is released says so in its first line: version and day. */
export function releaseOf(text: string): { version: string; date: string } {
  const [, version, date] = /Skein (\S+), (\d{4}-\d{2}-\d{2})/.exec(text) ?? []
  return { version: version ?? '', date: date ?? '' }
}

/** What would break a client of the released contract. */
export const breaksOf = (released: GraphQLSchema, current: GraphQLSchema): string[] => [
  ...findBreakingChanges(released, current).map(({ description }) => description),
  // Clients that left it out mean something else now.
  ...findDangerousChanges(released, current)
    .filter(({ type }) => type === DangerousChangeType.ARG_DEFAULT_VALUE_CHANGE)
    .map(({ description }) => description),
  ...inputBreaks(released, current),
]

/** What graphql-js does not look at. */
const inputBreaks = (released: GraphQLSchema, current: GraphQLSchema): string[] =>
  Object.values(current.getTypeMap()).flatMap(type => {
    const was = released.getType(type.name)
    if (!isInputObjectType(type) || !isInputObjectType(was)) return []
    const fields = type.getFields()
    return [
      ...(type.isOneOf && !was.isOneOf ? [`${type.name} became @oneOf.`] : []),
      ...Object.values(was.getFields())
        .filter(({ name, defaultValue }) => name in fields && !isSame(present(fields[name]).defaultValue, defaultValue))
        .map(({ name }) => `${type.name}.${name} has changed defaultValue.`),
    ]
  })

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * The breaks that were not announced: each has to be recorded with the day from which it holds, which is no day before the
 * release whose clients it breaks.
 */
export const unrecorded = (breaks: readonly string[], recorded: readonly Recorded[], released: string): string[] =>
  breaks.filter(found => !recorded.some(({ date, change }) => change === found && date >= released))
