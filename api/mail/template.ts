import type { EntityManager } from '@mikro-orm/postgresql'
import type { DeliveryTerms } from '#schema/rules/delivery'
import { houseLetter } from './house-letter.tsx'
import type { DueMail, MailAbout, MailKind } from './mail.entity.ts'

/** A mail as it is read. */
export interface Letter {
  recipient: string
  subject: string
  text: string
  html: string
  /** Where an answer goes, when that is not where it came from. */
  replyTo?: string
}

/** An amount of money and what it is. */
export type Figure = readonly [label: string, amount: string]

/** Something that was bought. */
export interface LetterLine {
  name: string
  quantity: number
  /** What the line comes to; empty where that does not matter. */
  amount: string
  /** As in `Product.image`. */
  image: string
  /** What else there is to know of it. */
  notes?: readonly string[]
}

export type Part =
  | string
  | { link: string; label: string }
  /** To be copied. */
  | { code: string }
  | { address: readonly string[]; label: string }
  | { lines: readonly LetterLine[]; totals: readonly Figure[] }

export interface Writing {
  recipient: string
  subject: string
  /** Whom it greets; empty when that is not known. */
  name: string
  parts: readonly Part[]
}

/** What every letter says of the shop it comes from. */
export interface ShopFront {
  shopUrl: string
  contact: ShopContact
}

export interface Shop extends ShopFront {
  /** A unit of work for this letter alone. */
  em: EntityManager
  /** Reads for all letters that are written at the same moment. */
  reader: EntityManager
  /** Where the shop's days begin. */
  timeZone: string
  delivery: DeliveryTerms
}

/** Who sells and where the shop is reached, as its owner set it. */
export interface ShopContact {
  name: string
  email: string | null
  /** The postal address, in one line. */
  address: string | null
  /** The number it is taxed under, for invoices. */
  taxId: string | null
}

/** Of each kind, how its mail is written: when it is sent, not before. Null when there is nobody to write to. */
export type Templates = {
  [Kind in MailKind]: (shop: Shop, about: MailAbout[Kind], mail: DueMail) => Promise<Letter | null> | Letter | null
}

/** The time zone when the reader's is unknown. */
export const NO_ZONE = 'UTC'

/** Mail programs know by this line that what follows is no part of the text. */
const SIGNATURE = '-- '

/** One letter of the house, as plain text and as HTML. */
export function writeLetter(shop: ShopFront, { recipient, subject, name, parts }: Writing): Letter {
  const whole: Part[] = [greeting(name), ...parts]
  const closing = closingOf(shop)
  return {
    recipient,
    subject,
    text: `${[...whole.map(asText), [SIGNATURE, ...closing].join('\n')].join('\n\n')}\n`,
    html: houseLetter({ shop, title: subject, parts: whole, closing }),
  }
}

/** What a letter says, without what stands below every one. */
export const withoutSignature = (text: string) => text.slice(0, text.lastIndexOf(`\n${SIGNATURE}\n`)).trim()

const closingOf = ({ shopUrl, contact }: ShopFront) => [
  `${contact.name}. Yarn and knitting supplies.`,
  ...(contact.address ? [contact.address] : []),
  contact.email ?? `${shopUrl}/contact`,
]

/** A name that a mail program would make a link of is not repeated: anyone may register anyone's address. */
const greeting = (name: string) => (name === '' || /[./:@]\S/.test(name) ? 'Hello,' : `Hello ${name},`)

function asText(part: Part): string {
  if (typeof part === 'string') return part
  if ('link' in part) return `${part.label}:\n${part.link}`
  if ('code' in part) return `    ${part.code}`
  if ('address' in part) return [`${part.label}:`, ...part.address].join('\n')
  const lines = part.lines.flatMap(({ name, quantity, amount, notes = [] }) => [
    `${quantity} × ${name}${amount && `: ${amount}`}`,
    ...notes.map(note => `    ${note}`),
  ])
  const totals = part.totals.map(([label, amount]) => `${label}: ${amount}`)
  return [lines, totals]
    .filter(({ length }) => length > 0)
    .map(rows => rows.join('\n'))
    .join('\n\n')
}

export const escape = (text: string) => text.replaceAll(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)
