import type { EntityManager } from '@mikro-orm/postgresql'
import { percent } from '#schema/rules/money'
import { DEFAULT_POLICY } from '#schema/rules/pricing'
import { nth } from '#schema/rules/present'
import { SHOP_NAME } from '#schema/rules/shop-name'
import { DEMO_ADMIN, DEMO_SHOPPER } from '../account/demo-accounts.ts'
import { emailKey } from '../account/user.entity.ts'
import type { Context } from '../context.ts'
import type { SetupStep, SetupStepCode } from '../generated/types.ts'
import { MAILBOX_PATH } from '../mail/mailbox.ts'
import { listed, read } from '../query/read.ts'

type Shop = Pick<Context, 'paypalConfig' | 'mailTo' | 'publicUrl' | 'contact' | 'policy'>

/** The variables that decide a step; none for what is done in the admin's pages. */
const SETTINGS: Record<SetupStepCode, readonly string[]> = {
  PAYMENTS: ['PAYPAL_MODE', 'PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET'],
  MAIL: ['SMTP_URL', 'MAIL_FROM'],
  ADDRESS: ['SHOP_URL'],
  NAME: ['SHOP_NAME'],
  CONTACT: ['SHOP_EMAIL', 'SHOP_ADDRESS'],
  TAX: ['TAX_RATE', 'TAX_RATES'],
  PRODUCTS: [],
  PAGES: [],
  DEMO_ACCOUNTS: [],
  SECOND_FACTOR: [],
}

/** What is still missing before the shop sells in earnest, and what is not. */
export async function setupSteps(em: EntityManager, shop: Shop): Promise<SetupStep[]> {
  const problems = { ...problemsOfSettings(shop), ...(await problemsWithin(em)) }
  return (Object.keys(SETTINGS) as SetupStepCode[]).map(code => ({
    code,
    problem: problems[code],
    settings: [...SETTINGS[code]],
  }))
}

/** Null for what is well. */
type Problems<Code extends SetupStepCode> = Record<Code, string | null>

const unless = (isDone: boolean, problem: string) => (isDone ? null : problem)

function problemsOfSettings({
  paypalConfig,
  mailTo,
  publicUrl,
  contact,
  policy,
}: Shop): Problems<'PAYMENTS' | 'MAIL' | 'ADDRESS' | 'NAME' | 'CONTACT' | 'TAX'> {
  const stillDefault =
    !policy.taxIncluded && policy.taxRates.length === 0 && policy.taxBasisPoints === DEFAULT_POLICY.taxBasisPoints
  return {
    PAYMENTS: unless(
      paypalConfig.mode === 'LIVE',
      paypalConfig.mode === 'SANDBOX'
        ? 'Orders are paid in PayPal’s sandbox: no money moves.'
        : 'Orders are paid in a simulation of PayPal: no money moves.',
    ),
    MAIL: unless(
      mailTo === 'smtp',
      mailTo === 'mailbox'
        ? `Mails are sent to nobody: ${MAILBOX_PATH} shows them, links to new passwords too, to everyone.`
        : 'Mails are written down and sent to nobody.',
    ),
    ADDRESS: unless(publicUrl !== null, 'Links in mails lead to this machine, which nobody else can open.'),
    NAME: unless(contact.name !== SHOP_NAME, `The shop is called ${SHOP_NAME}, as every new one is.`),
    CONTACT: unless(
      Boolean(contact.email && contact.address),
      'Pages, mails and invoices do not say where the shop is and where to write to.',
    ),
    TAX: unless(
      !stillDefault,
      `Every order is taxed at ${percent(policy.taxBasisPoints)}, as in any shop whose owner has not said otherwise.`,
    ),
  }
}

async function problemsWithin(
  em: EntityManager,
): Promise<Problems<'PRODUCTS' | 'PAGES' | 'DEMO_ACCOUNTS' | 'SECOND_FACTOR'>> {
  const found = nth(
    await read<{ sells: boolean; writes: boolean; isDemo: boolean; isOpen: boolean }>(
      em,
      `select exists(select from products where published_at is not null and archived_at is null) as sells,
         not exists(select from pages where markdown is null) as writes,
         exists(select from users where email_key = any(?::text[]) and closed_at is null) as "isDemo",
         exists(select from users where is_admin and closed_at is null and second_factor_at is null) as "isOpen"`,
      [listed([DEMO_ADMIN, DEMO_SHOPPER].map(({ email }) => emailKey(email)))],
    ),
    0,
  )
  return {
    PRODUCTS: unless(found.sells, 'Nothing is for sale yet.'),
    PAGES: unless(found.writes, 'Some pages about the shop have the texts that every shop begins with.'),
    DEMO_ACCOUNTS: unless(
      !found.isDemo,
      `${DEMO_ADMIN.email} or ${DEMO_SHOPPER.email} is still there, with a password that everyone can read unless it was changed. Make yourself an administrator before you delete them.`,
    ),
    SECOND_FACTOR: unless(!found.isOpen, 'An administrator signs in with a password alone.'),
  }
}
