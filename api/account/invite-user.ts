import { invitedAccount } from '#schema/rules/shapes/account'
import { recordAudit } from '../audit/record-audit.ts'
import { signedIn, type Context } from '../context.ts'
import type { ApiScope, InviteInput } from '../generated/types.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import { check } from '../kernel/validation.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { recordAccountChange } from './account-event.ts'
import { confirmAddress, uniqueEmail } from './addresses.ts'
import { limitOf } from './manage-users.ts'
import { emailKey, User } from './user.entity.ts'

const invitation = invitedAccount<ApiScope>()

/**
 * Opens an administrator's account without a password. Whoever claims the address loses it, as when its owner confirms
 * it: the letter is for who reads that mailbox, and for nobody who typed its address earlier.
 */
export async function inviteUser(context: Context, input: InviteInput): Promise<User> {
  const actor = signedIn(context)
  const { name, email, permissions } = check(invitation, input)
  if (context.mailTo === 'nobody')
    throw refuse('MAIL_OFF', 'This shop sends no mail at the moment, so nobody can be invited.')
  return uniqueEmail(() =>
    context.em.transactional(async tx => {
      const user = tx.create(User, {
        name,
        email,
        emailKey: emailKey(email),
        emailVerifiedAt: clock.now(),
        passwordHash: null,
        isAdmin: true,
        limitedTo: limitOf(permissions),
      })
      await confirmAddress(tx, user)
      await recordAccountChange(tx, user)
      await recordAudit(tx, actor, {
        entity: 'USER',
        entityId: user.id,
        label: user.email,
        action: 'CREATED',
        changes: [{ field: 'permissions', before: null, after: user.permissions.join(' ') }],
      })
      queueMail(tx, 'INVITATION', { name, email, invitedBy: actor.name })
      return user
    }),
  )
}
