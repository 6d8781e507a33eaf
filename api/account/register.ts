import { namedAccount } from '#schema/rules/shapes/account'
import { recordAccountChange } from './account-event.ts'
import { openSession } from './authenticate.ts'
import type { Context } from '../context.ts'
import type { RegisterInput } from '../generated/types.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { check, knownTimeZone } from '../kernel/validation.ts'
import { hashOfChosen, password } from './choose-password.ts'
import { rememberDevice } from './known-devices.ts'
import { registering } from './password.ts'
import type { SignedIn } from './sign-in.ts'
import { emailKey, User } from './user.entity.ts'

const registration = namedAccount.extend({ password, timeZone: knownTimeZone })

/**
 * Opens an account that claims an address, whether another one has it or not: nobody learns which from answer or time.
 * What the mail says to the owner of the mailbox is decided when it is written.
 */
export async function register(context: Context, input: RegisterInput): Promise<SignedIn> {
  const { em, ip, registerThrottle } = context
  registering.assertRoom()
  const { name, email, password, timeZone } = check(registration, input)
  await registerThrottle.admit(ip)
  const passwordHash = await hashOfChosen(password, { name, email }, context, registering)
  return em.transactional(async tx => {
    const user = tx.create(User, {
      name,
      email,
      emailKey: emailKey(email),
      emailVerifiedAt: null,
      newEmail: null,
      passwordHash,
      timeZone,
    })
    await tx.flush()
    await recordAccountChange(tx, user)
    queueMail(tx, 'EMAIL_CONFIRMATION', { userId: user.id, email, emailKey: user.emailKey })
    return { user, token: openSession(tx, user), device: await rememberDevice(tx, user) }
  })
}
