import { zonedMoment } from '#schema/rules/time-zone'
import { NO_ZONE, writeLetter, type Letter, type Shop, type Templates } from '../mail/template.ts'
import type { MailAbout } from '../mail/mail.entity.ts'

declare module '../mail/mail.entity.ts' {
  interface MailAbout {
    /** Goes to the address the account has at that time. */
    SECOND_FACTOR_CHANGED: {
      name: string
      email: string
      at: string
      timeZone?: string | null
      change: 'ON' | 'OFF' | 'RESET' | 'NEW_CODES' | 'CODE_USED'
    }
  }
}

const WHAT: Record<
  MailAbout['SECOND_FACTOR_CHANGED']['change'],
  [subject: string, sentence: (when: string, shopName: string) => string]
> = {
  ON: [
    'Your second factor is on',
    (when, shopName) =>
      `Since ${when}, signing in to your account at ${shopName} takes a code from your authenticator app. Everyone else who was signed in is signed out.`,
  ],
  OFF: [
    'Your second factor is off',
    (when, shopName) => `Since ${when}, signing in to your account at ${shopName} takes nothing but the password.`,
  ],
  RESET: [
    'Your second factor was taken off',
    (when, shopName) =>
      `On ${when}, an administrator took the second factor off your account at ${shopName}. You can set up a new one in your profile.`,
  ],
  NEW_CODES: [
    'You have new recovery codes',
    (when, shopName) =>
      `On ${when}, new recovery codes were made for your account at ${shopName}. The old ones do not work any more.`,
  ],
  CODE_USED: [
    'A recovery code was used',
    (when, shopName) =>
      `On ${when}, one of the recovery codes of your account at ${shopName} was used. It does not work again.`,
  ],
}

function writeSecondFactorLetter(
  shop: Shop,
  { name, email, at, timeZone, change }: MailAbout['SECOND_FACTOR_CHANGED'],
): Letter {
  const [subject, sentence] = WHAT[change]
  return writeLetter(shop, {
    recipient: email,
    subject,
    name,
    parts: [
      sentence(zonedMoment(at, timeZone ?? NO_ZONE), shop.contact.name),
      'Was it not you? Then choose a new password now, and tell an administrator of the shop:',
      { link: `${shop.shopUrl}/forgot-password`, label: 'Choose a new password' },
    ],
  })
}

export const secondFactorMails = { SECOND_FACTOR_CHANGED: writeSecondFactorLetter } satisfies Partial<Templates>
