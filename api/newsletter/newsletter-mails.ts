import { limits } from '#schema/rules/limits'
import { percent } from '#schema/rules/money'
import { present } from '#schema/rules/present'
import { newsletterDiscount, unusedCode } from '../discount/welcome-code.ts'
import { clock } from '../kernel/clock.ts'
import { hashOf, newToken } from '../kernel/tokens.ts'
import type { DueMail, MailAbout } from '../mail/mail.entity.ts'
import { writeLetter, type Letter, type Shop, type Templates } from '../mail/template.ts'
import { isTooMany } from '../mail/too-many.ts'
import { unsubscribePath } from './list-subscribers.ts'
import { NewsletterLink } from './newsletter-link.entity.ts'
import { Subscription } from './subscription.entity.ts'

declare module '../mail/mail.entity.ts' {
  interface MailAbout {
    /** The link to confirm an address, or a word to one that is on the list already. */
    NEWSLETTER_CONFIRMATION: { email: string; emailKey: string }
    /** Brings the code, the first time. */
    NEWSLETTER_WELCOME: { emailKey: string }
  }
}

/** The link to confirm an address, with a token that is made only now; null after too many such mails. */
async function writeConfirmation(
  shop: Shop,
  { email, emailKey }: MailAbout['NEWSLETTER_CONFIRMATION'],
  mail: DueMail,
): Promise<Letter | null> {
  const { em, shopUrl } = shop
  if (await isTooMany(em, mail)) return null
  const subscription = await em.findOne(Subscription, { emailKey })
  if (subscription?.isOnList) {
    return writeLetter(shop, {
      recipient: email,
      subject: 'You are on our list already',
      name: '',
      parts: [
        `Someone, hopefully you, asked for the newsletter of ${shop.contact.name} at this address. It gets it already: nothing has changed.`,
        leaving(shopUrl, subscription),
      ],
    })
  }
  const promised = await newsletterDiscount(em)
  const token = newToken()
  em.create(NewsletterLink, { tokenHash: hashOf(token), emailKey, email, createdAt: clock.now() })
  await em.flush()
  return writeLetter(shop, {
    recipient: email,
    subject: 'Do you want our newsletter?',
    name: '',
    parts: [
      `Someone, hopefully you, asked for the newsletter of ${shop.contact.name} at this address. One step is left:`,
      // In the fragment (`#`), which browsers send to no server, so that it is in no log and no referrer.
      { link: `${shopUrl}/newsletter/confirm#${token}`, label: 'Yes, write to me' },
      `The link works once, for ${limits.confirmHours} hours.${promised ? ` After it, we send a code for ${percent(promised)} off that is yours alone.` : ''}`,
      'Was it not you? Then there is nothing to do: without this step nothing more is sent to you.',
    ],
  })
}

async function writeWelcome(shop: Shop, { emailKey }: MailAbout['NEWSLETTER_WELCOME']): Promise<Letter | null> {
  const { em, shopUrl } = shop
  const subscription = await em.findOne(Subscription, { emailKey })
  if (!subscription?.isOnList) return null
  const gives = subscription.code ? await unusedCode(em, subscription.code) : null
  return writeLetter(shop, {
    recipient: subscription.email,
    subject: gives ? `Welcome: your code for ${gives}` : 'Welcome',
    name: '',
    parts: [
      'Welcome to the circle. One email a month: new colourways, and patterns worth your evenings.',
      ...(gives
        ? [
            `Your code for ${gives}:`,
            { code: present(subscription.code) },
            'It is yours alone and good for one order. Type it into the box for discount codes, in your cart or when you review your order, in an account with this address.',
          ]
        : []),
      { link: `${shopUrl}/`, label: 'See what is new' },
      leaving(shopUrl, subscription),
    ],
  })
}

/** Ends every letter of the newsletter. */
const leaving = (shopUrl: string, { unsubscribeToken }: Subscription) =>
  `You get this because this address was signed up for our newsletter, and confirmed. To leave it, open ${shopUrl}${unsubscribePath(unsubscribeToken)}`

export const newsletterMails = {
  NEWSLETTER_CONFIRMATION: writeConfirmation,
  NEWSLETTER_WELCOME: writeWelcome,
} satisfies Partial<Templates>
