import type { EntityManager } from '@mikro-orm/postgresql'
import type { Mail, MailAbout, MailKind } from './mail.entity.ts'

/** A mail as it is read. */
export interface Letter {
  recipient: string
  subject: string
  text: string
  html: string
  /** Where an answer goes, when that is not where it came from. */
  replyTo?: string
}

/** A row of a table: what it is, and an amount of money or nothing. */
export type Row = readonly [label: string, amount: string]

export type Part =
  | string
  | { link: string; label: string }
  /** To be copied. */
  | { code: string }
  | { rows: readonly Row[]; totals: readonly Row[] }

export interface Writing {
  recipient: string
  subject: string
  /** Whom it greets; empty when that is not known. */
  name: string
  parts: readonly Part[]
}

export interface Shop {
  em: EntityManager
  shopUrl: string
  timeZone: string
  contact: ShopContact
}

/** Where the shop is reached, as its owner set it. */
export interface ShopContact {
  email: string | null
  /** The postal address, in one line. */
  address: string | null
}

/** Of each kind, how its mail is written: when it is sent, not before. Null when there is nobody to write to. */
export type Templates = {
  [Kind in MailKind]: (shop: Shop, about: MailAbout[Kind], mail: Mail) => Promise<Letter | null> | Letter | null
}

// Mail programs know no custom properties, so the colours of the light theme stand here as they are.
const WOOL = '#faf7f0'
const PAPER = '#fffdf8'
const FLAX = '#ddd4c3'
const BARK = '#635a4e'
const INK = '#241f1a'
const MADDER = '#a3312a'
const SERIF = `'Brygada 1918', Georgia, 'Times New Roman', serif`
const SANS = `'Source Sans 3', 'Helvetica Neue', Arial, sans-serif`

const CLOSING = ['Skein', 'Yarn and knitting supplies']

/** Ends every letter; mail programs know by its first line that it is no part of the text. */
export const SIGNATURE = `-- \n${CLOSING.join('\n')}\n`

/** One letter as plain text and as HTML that loads nothing. */
export function writeLetter({ recipient, subject, name, parts }: Writing): Letter {
  const whole: Part[] = [greeting(name), ...parts]
  return {
    recipient,
    subject,
    text: [...whole.map(asText), SIGNATURE].join('\n\n'),
    html: page(subject, whole.map(asHtml).join('')),
  }
}

/** A name that a mail program would make a link of is not repeated: anyone may register anyone's address. */
const greeting = (name: string) => (name === '' || /[./:@]\S/.test(name) ? 'Hello,' : `Hello ${name},`)

function asText(part: Part): string {
  if (typeof part === 'string') return part
  if ('link' in part) return `${part.label}:\n${part.link}`
  if ('code' in part) return `    ${part.code}`
  const line = ([label, amount]: Row) => (amount ? `${label}: ${amount}` : label)
  return [part.rows, part.totals]
    .filter(({ length }) => length > 0)
    .map(rows => rows.map(line).join('\n'))
    .join('\n\n')
}

function asHtml(part: Part): string {
  if (typeof part === 'string') return `<p style="margin:0 0 16px">${escape(part)}</p>`
  if ('link' in part) {
    return `<p style="margin:24px 0"><a href="${escape(part.link)}" style="display:inline-block;padding:12px 24px;border-radius:4px;background:${MADDER};color:${PAPER};font-weight:600;text-decoration:none">${escape(part.label)}</a></p>`
  }
  if ('code' in part) {
    return `<p style="margin:24px 0;padding:16px;border:1px solid ${FLAX};border-radius:4px;background:${PAPER};font:600 22px/1.2 ${SERIF};letter-spacing:0.06em;text-align:center">${escape(part.code)}</p>`
  }
  const rows = part.rows.map(([label, amount]) => cells(label, amount, `border-bottom:1px solid ${FLAX}`)).join('')
  const totals = part.totals
    .map(([label, amount], place) => {
      const isLast = place === part.totals.length - 1
      return cells(label, amount, isLast ? `border-top:1px solid ${INK};font-weight:600` : `color:${BARK}`)
    })
    .join('')
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:24px 0;border-collapse:collapse">${rows}${totals}</table>`
}

const cells = (label: string, amount: string, look: string) =>
  `<tr><td style="padding:8px 16px 8px 0;${look}">${escape(label)}</td><td align="right" style="padding:8px 0;white-space:nowrap;font-variant-numeric:tabular-nums;${look}">${escape(amount)}</td></tr>`

const page = (title: string, content: string) => `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light only"><title>${escape(title)}</title></head>
<body style="margin:0;background:${WOOL};color:${INK};font:17px/1.55 ${SANS}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:${WOOL}"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;text-align:left"><tr><td style="font:17px/1.55 ${SANS};color:${INK}">
<p style="margin:0 0 32px;font:600 26px/1.2 ${SERIF};color:${INK}">Skein</p>
<h1 style="margin:0 0 20px;font:500 30px/1.2 ${SERIF};color:${INK}">${escape(title)}</h1>
${content}
<p style="margin:40px 0 0;padding-top:16px;border-top:1px solid ${FLAX};font-size:14px;color:${BARK}">${CLOSING.join('<br>')}</p>
</td></tr></table>
</td></tr></table>
</body></html>
`

export const escape = (text: string) => text.replaceAll(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)
