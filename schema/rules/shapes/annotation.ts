import { z } from 'zod'
import { ownerLimits } from '../owner-limits.ts'
import { requiredText, text } from './text.ts'

/** Tags that differ only in upper and lower case are the same. */
export const tagKey = (tag: string) => tag.trim().toLowerCase()

const tag = requiredText('Tag', ownerLimits.tags.length).refine(
  typed => !typed.includes(','),
  'A tag cannot contain a comma.',
)

const byKey = (tags: readonly string[]) => new Map(tags.toReversed().map(each => [tagKey(each), each]))

export const tags = z
  .array(tag)
  .max(ownerLimits.tags.each, `There are at most ${ownerLimits.tags.each} tags.`)
  .transform(given => [...byKey(given)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each))

const externalId = z.object({
  namespace: requiredText('Program', ownerLimits.externalIds.namespace).regex(
    /^[a-z0-9_.-]*$/,
    'A program is written in small letters, digits, dots, dashes and underscores.',
  ),
  value: requiredText('Id', ownerLimits.externalIds.value),
})

/** What administrators and their programs write on an order, a product or an account. */
export const annotation = z.object({
  note: text('Note', ownerLimits.note).optional(),
  tags: tags.optional(),
  externalIds: z
    .array(externalId)
    .max(ownerLimits.externalIds.each, `There are at most ${ownerLimits.externalIds.each} external ids.`)
    .superRefine((ids, context) => {
      ids.forEach(({ namespace }, place) => {
        if (ids.findIndex(each => each.namespace === namespace) < place)
          context.addIssue({
            code: 'custom',
            path: [place, 'namespace'],
            message: 'Each program can have only one id here.',
          })
      })
    })
    .optional(),
})
