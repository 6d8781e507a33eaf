import { dayWords } from '#schema/rules/day'
import { limits } from '#schema/rules/limits'
import { slugBehind } from '#schema/rules/slug'
import { nth } from '#schema/rules/present'
import { findOwner } from '../account/addresses.ts'
import { findOpen } from '../account/open-account.ts'
import { Product } from '../catalog/product.entity.ts'
import { clock } from '../kernel/clock.ts'
import { hashOf, newToken } from '../kernel/tokens.ts'
import type { DueMail, MailAbout } from '../mail/mail.entity.ts'
import { writeLetter, type Letter, type Shop, type Templates } from '../mail/template.ts'
import { isTooMany } from '../mail/too-many.ts'
import { Bell } from './bell.entity.ts'
import { BellLink } from './bell-link.entity.ts'

declare module '../mail/mail.entity.ts' {
  interface MailAbout {
    /** The link by which an address confirms that it wants a mail when a product, or a dye lot of it, is back. */
    BELL_CONFIRMATION: { email: string; emailKey: string; productId: string; lot?: string }
    /** Goes to the account, or to the address where there is none. */
    BACK_IN_STOCK: {
      productId: string
      lot?: string
      userId: string | null
      email: string | null
      emailKey: string | null
    }
  }
}

/** The link to confirm an address, with a token that is made only now; null after too many such mails. */
async function writeConfirmation(
  shop: Shop,
  { email, emailKey, productId, lot = '' }: MailAbout['BELL_CONFIRMATION'],
  mail: DueMail,
): Promise<Letter | null> {
  const { em, shopUrl } = shop
  if (await isTooMany(em, mail)) return null
  const product = await em.findOne(Product, { id: productId })
  if (!product?.isForSale) return null
  const owner = await findOwner(em, emailKey)
  const known = await em.findOne(Bell, owner ? { productId, lot, userId: owner.id } : { productId, lot, emailKey })
  const what = named(product, lot)
  if (known) {
    return writeLetter(shop, {
      recipient: email,
      subject: 'We will tell you already',
      name: '',
      parts: [
        `Someone, hopefully you, asked to be told here when ${what} is back. That is settled already: nothing has changed.`,
        stopping(shopUrl, known),
      ],
    })
  }
  const token = newToken()
  em.create(BellLink, { tokenHash: hashOf(token), productId, lot, emailKey, email, createdAt: clock.now() })
  await em.flush()
  return writeLetter(shop, {
    recipient: email,
    subject: `Tell you when ${what} is back?`,
    name: '',
    parts: [
      `Someone, hopefully you, asked to be told at this address when ${what} is back at ${shop.contact.name}. One step is left:`,
      // In the fragment (`#`), which browsers send to no server, so that it is in no log and no referrer.
      { link: `${shopUrl}/bell/confirm#${token}`, label: 'Yes, tell me' },
      `The link works once, for ${limits.confirmHours} hours. After it, one email comes when it is back, and nothing else.`,
      'Was it not you? Then there is nothing to do: without this step nothing more is sent to you.',
    ],
  })
}

async function writeBackInStock(
  shop: Shop,
  { productId, lot = '', userId, email, emailKey }: MailAbout['BACK_IN_STOCK'],
): Promise<Letter | null> {
  const { em, shopUrl } = shop
  const user = userId ? await findOpen(em, userId) : null
  const recipient = userId ? user?.emailVerifiedAt && user.email : email
  const product = await em.findOne(Product, { id: productId })
  if (!recipient || !product?.isForSale) return null
  const what = named(product, lot)
  const other = await em.findOne(Bell, userId ? { userId } : { emailKey })
  return writeLetter(shop, {
    recipient,
    subject: `${capitalized(what)} ${product.expectedOn ? 'can be pre-ordered' : 'is back'}`,
    name: user?.name ?? '',
    parts: [
      product.expectedOn
        ? `You asked to be told: ${what} can be ordered ahead. We expect it on ${dayWords(product.expectedOn)}.`
        : `You asked to be told: ${what} is in stock again.`,
      {
        link: `${shopUrl}/product/${product.id}${slugBehind(product.name)}${lot && `?lot=${encodeURIComponent(lot)}`}`,
        label: 'See it in the shop',
      },
      'We have put none aside, so it goes to whoever comes first. This email is sent once; if you miss it, ask again on that page.',
      ...(other ? [stopping(shopUrl, other)] : []),
    ],
  })
}

const named = ({ name }: Product, lot: string) => (lot ? `lot ${lot} of “${name}”` : `“${name}”`)

const capitalized = (text: string) => nth(text, 0).toUpperCase() + text.slice(1)

/** The end of mails to those who wait for a product. */
const stopping = (shopUrl: string, { stopToken }: Bell) =>
  `To take back everything you wait for, open ${shopUrl}/bell/stop#${stopToken}`

export const bellMails = {
  BELL_CONFIRMATION: writeConfirmation,
  BACK_IN_STOCK: writeBackInStock,
} satisfies Partial<Templates>
