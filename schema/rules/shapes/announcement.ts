import { z } from 'zod'
import { ownerLimits } from '../owner-limits.ts'
import { isWebAddress } from '../web-address.ts'
import { text } from './text.ts'
import { typedInstant } from './typed.ts'

/** A path of the shop's own: browsers read `//` and `/\` as the beginning of another host's name. */
const isPath = (link: string) => /^\/(?![/\\])\S*$/.test(link)

const fields = {
  text: text('Text', ownerLimits.announcement.text).transform(typed => typed.replaceAll(/\s+/g, ' ')),
  link: text('Link', ownerLimits.announcement.link)
    .nullish()
    .transform(typed => typed || null)
    .refine(
      link => link === null || isPath(link) || isWebAddress(link),
      'Please enter a path such as /collections/gifts, or an address that starts with https://.',
    ),
}

interface Times {
  startsAt?: Date | null | undefined
  endsAt?: Date | null | undefined
}

function endsAfterStart({ startsAt, endsAt }: Times, { addIssue }: z.RefinementCtx) {
  if (startsAt && endsAt && endsAt <= startsAt)
    addIssue({ code: 'custom', path: ['endsAt'], message: 'The announcement must end after it begins.' })
}

const instant = z
  .date()
  .nullish()
  .transform(value => value ?? null)

/** What an owner says above the shop's pages. */
export const announcement = z
  .object({ ...fields, startsAt: instant, endsAt: instant, version: z.number().int() })
  .superRefine(endsAfterStart)

/** A form that writes it: moments as the browser writes them. */
export const typedAnnouncement = z
  .object({ ...fields, startsAt: typedInstant, endsAt: typedInstant })
  .superRefine(endsAfterStart)
