import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { changesBetween, recordAudit } from '../audit/record-audit.ts'
import { hashOf, newToken } from '../kernel/tokens.ts'
import { clock } from '../kernel/clock.ts'
import { check, email as emailRule, requiredText } from '../kernel/validation.ts'
import { recordAccountChange } from './account-event.ts'
import { confirmAddress, findClaimant, findOwner, uniqueEmail } from './addresses.ts'
import { hashPassword } from './password.ts'
import { PasswordReset } from './password-reset.entity.ts'
import { removeSecondFactor } from './second-factor.ts'
import { Session } from './session.entity.ts'
import { emailKey, User } from './user.entity.ts'

const owner = z.object({ email: emailRule, name: requiredText('Name', limits.name).optional() })

export interface Appointment {
  user: User
  became: 'created' | 'promoted' | 'unchanged'
  /** For a link to choose a password; good once, for an hour. */
  token: string
}

/** What the audit log calls an actor who has no account: a person who may run the shop's commands. */
const COMMAND_LINE = 'Command line'

/** Makes an administrator of an address, with a way to choose the password. For the shop's commands. */
export async function appointAdmin(
  em: EntityManager,
  input: { email: string; name?: string | undefined },
): Promise<Appointment> {
  const { email, name = 'Administrator' } = check(owner, input)
  const unknown = await hashPassword(newToken())
  return uniqueEmail(() =>
    em.transactional(async tx => {
      const key = emailKey(email)
      const known = (await findOwner(tx, key)) ?? (await findClaimant(tx, key))
      if (known) await tx.lock(known, LockMode.PESSIMISTIC_WRITE)
      const became = !known ? 'created' : known.isAdmin && !known.limitedTo ? 'unchanged' : 'promoted'
      const before = known && { isAdmin: known.isAdmin, permissions: known.permissions.join(' ') }
      const user = known ?? tx.create(User, { name, email, emailKey: key, passwordHash: unknown, isAdmin: true })
      if (became === 'promoted') {
        // A shopper's password and sessions must not open the shop: only the person who gets the new link becomes its
        // administrator.
        tx.assign(user, { isAdmin: true, limitedTo: null, passwordHash: unknown })
        await tx.nativeDelete(Session, { user })
      }
      await confirmAddress(tx, user)
      await tx.nativeDelete(PasswordReset, { user })
      const actor = { id: user.id, name: COMMAND_LINE }
      // Someone who has lost their password may have lost their authenticator app too.
      await removeSecondFactor(tx, actor, user)
      const token = newToken()
      tx.create(PasswordReset, { tokenHash: hashOf(token), user, mailId: v7(), createdAt: clock.now() })
      if (became !== 'unchanged') await recordAccountChange(tx, user)
      const subject = { entity: 'USER', entityId: user.id, label: user.email } as const
      if (became === 'created')
        await recordAudit(tx, actor, {
          ...subject,
          action: 'CREATED',
          changes: [{ field: 'isAdmin', before: null, after: 'true' }],
        })
      if (became === 'promoted')
        await recordAudit(tx, actor, {
          ...subject,
          action: 'UPDATED',
          changes: changesBetween(before, { isAdmin: true, permissions: 'ADMIN' }, [
            before?.isAdmin ? 'permissions' : 'isAdmin',
          ]),
        })
      return { user, became, token }
    }),
  )
}

/** Whether anyone may run all of the shop from its admin pages. */
export const hasAdmin = async (em: EntityManager) =>
  (await em.count(User, { isAdmin: true, limitedTo: null, closedAt: null })) > 0
