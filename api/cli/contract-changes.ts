import { findBreakingChanges, type GraphQLSchema } from 'graphql'

/** The lines of docs/contract/changes.md that count: `- 2026-11-21: the change, as the test words it`. */
export function recordedIn(markdown: string): string[] {
  return [...markdown.matchAll(/^- \d{4}-\d{2}-\d{2}: (.+)$/gm)].map(([, change]) => change!.trim())
}

/** What would break a client of the released contract and has not been recorded. */
export function unrecordedBreaks(
  released: GraphQLSchema,
  current: GraphQLSchema,
  recorded: readonly string[],
): string[] {
  return findBreakingChanges(released, current)
    .map(({ description }) => description)
    .filter(change => !recorded.includes(change))
}
