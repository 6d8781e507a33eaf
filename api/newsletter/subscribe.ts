import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { present } from '#schema/rules/present'
import { findOwner } from '../account/addresses.ts'
import { emailKey } from '../account/user.entity.ts'
import type { Context } from '../context.ts'
import { makeWelcomeCode } from '../discount/welcome-code.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import { hashOf, newToken } from '../kernel/tokens.ts'
import { check, email as emailRule } from '../kernel/validation.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { NewsletterLink } from './newsletter-link.entity.ts'
import { Subscription } from './subscription.entity.ts'

/** The first moment of links that are still good now. */
const oldestGood = () => new Date(clock.now().getTime() - limits.confirmHours * 3_600_000)

const spent = (message: string) => refuse('NEWSLETTER_LINK_SPENT', message)

/** Writes down that a link was asked for. The same work for every address, so that neither answer nor time reveals who is on the list. */
export async function askForNewsletter({ em, ip, mailTo, newsletterThrottle }: Context, input: string): Promise<void> {
  const { email } = check(z.object({ email: emailRule }), { email: input })
  if (mailTo === 'nobody')
    throw refuse('MAIL_OFF', 'This shop sends no mail at the moment, so it cannot send you a letter.')
  await newsletterThrottle.admit({ ip, email })
  queueMail(em, 'NEWSLETTER_CONFIRMATION', { email, emailKey: emailKey(email) })
  await em.flush()
}

/** Puts the address a link was sent to on the list. Its first time makes the one code it ever gets, with the letter that brings it. */
export function confirmNewsletter(em: EntityManager, token: string): Promise<void> {
  return em.transactional(async tx => {
    const tokenHash = hashOf(token)
    const link = await tx.findOne(NewsletterLink, { tokenHash, createdAt: { $gt: oldestGood() } })
    if (!link) throw spent('This link has been used or is too old. Please sign up once more.')
    const { emailKey, email } = link
    await tx.execute(
      'insert into newsletter_subscriptions (email_key, email, created_at) values (?, ?, ?) on conflict do nothing',
      [emailKey, email, clock.now()],
    )
    const subscription = await tx.findOneOrFail(
      Subscription,
      { emailKey },
      { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
    )
    // Of two who press at once, the second finds it used.
    if ((await tx.nativeDelete(NewsletterLink, { tokenHash })) === 0)
      throw spent('This link has been used or is too old. Please sign up once more.')
    await tx.nativeDelete(NewsletterLink, { emailKey })
    const isNew = !subscription.isOnList
    const owner = await findOwner(tx, emailKey)
    tx.assign(subscription, {
      email,
      confirmedAt: subscription.isOnList ? present(subscription.confirmedAt) : clock.now(),
      unsubscribedAt: null,
      unsubscribeToken: subscription.unsubscribeToken ?? newToken(),
      code: subscription.code ?? (await makeWelcomeCode(tx, { emailKey, userId: owner?.id ?? null })),
    })
    if (isNew) queueMail(tx, 'NEWSLETTER_WELCOME', { emailKey })
    await tx.flush()
  })
}

/** Takes the address a letter went to off the list. Links it asked for before put it on again no more. */
export function unsubscribe(em: EntityManager, unsubscribeToken: string): Promise<void> {
  return em.transactional(async tx => {
    const subscription = await tx.findOne(
      Subscription,
      { unsubscribeToken },
      { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
    )
    if (!subscription) throw spent('This link lost a piece on its way. Please try the one in another email.')
    subscription.unsubscribedAt ??= clock.now()
    await tx.nativeDelete(NewsletterLink, { emailKey: subscription.emailKey })
    await tx.flush()
  })
}

/** Forgets that an address was ever on the list. Nobody else can use a code that was sent there. */
export async function forgetReader(em: EntityManager, emailKey: string): Promise<void> {
  await em.nativeDelete(NewsletterLink, { emailKey })
  await em.nativeDelete(Subscription, { emailKey })
  await em.execute(`update series_codes set email_key = '' where email_key = ?`, [emailKey])
}

/** Forgets links that nobody can use any more. */
export async function forgetNewsletterLinks(em: EntityManager): Promise<void> {
  await em.nativeDelete(NewsletterLink, { createdAt: { $lt: oldestGood() } })
}
