import { forgetAddresses } from '../address/keep-addresses.ts'
import { forgetAnnotation } from '../annotation/annotate.ts'
import { forgetInAudit, recordAudit } from '../audit/record-audit.ts'
import { forgetBells, forgetBellsOf } from '../bell/ask-for-bell.ts'
import { forgetCart } from '../cart/forget-carts.ts'
import { signedIn, type Context } from '../context.ts'
import type { AccountProofInput } from '../generated/types.ts'
import { clock } from '../kernel/clock.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { forgetGiftCardsOf, forgetGiftsOf } from '../gift-card/manage-gift-cards.ts'
import { forgetReader } from '../newsletter/subscribe.ts'
import { forgetBuyer } from '../order/forget-buyer.ts'
import { forgetReviewer } from '../review/forget-reviewer.ts'
import { forgetStash } from '../stash/keep-stash.ts'
import { recordAccountChange } from './account-event.ts'
import { endAccess } from './addresses.ts'
import { revokeKeysOf } from './change-password.ts'
import { forgetIdentities } from './linked-identities.ts'
import { assertNotLast } from './manage-users.ts'
import { provingIdentity } from './prove-identity.ts'
import { removeSecondFactor } from './second-factor.ts'
import { DELETED } from './user.entity.ts'

/**
 * Deletes one's own account: the person goes, and what the shop has to account for stays without them (decision 043). The
 * row stays, too, empty, for orders and reviews to belong to.
 */
export async function deleteAccount(context: Context, proof: AccountProofInput): Promise<void> {
  const { jobs, invoiceYears } = context
  const { keyName } = signedIn(context)
  await provingIdentity(context, proof, async (tx, user) => {
    if (user.isAdmin) await assertNotLast(tx, user)
    await forgetBuyer(tx, user, invoiceYears)
    const { id, name, email, timeZone, emailVerifiedAt, isAdmin } = user
    const at = clock.now()
    queueMail(tx, 'ACCOUNT_DELETED', { name, email, at: at.toISOString(), timeZone })
    await forgetReviewer(tx, jobs, user)
    await forgetBells(tx, user)
    await forgetStash(tx, user)
    await forgetCart(tx, user)
    await forgetAddresses(tx, user)
    await forgetGiftsOf(tx, user)
    await forgetAnnotation(tx, user)
    // An address that was never confirmed may be somebody else's: nothing kept under it is deleted.
    if (emailVerifiedAt) {
      await forgetBellsOf(tx, user.emailKey)
      await forgetReader(tx, user.emailKey)
      await forgetGiftCardsOf(tx, user.emailKey)
    }
    await revokeKeysOf(tx, user)
    await removeSecondFactor(tx, user, user)
    await endAccess(tx, user)
    await forgetIdentities(tx, user)
    const actor = { id, name: isAdmin ? name : DELETED, ...(keyName !== undefined && { keyName }) }
    await recordAudit(tx, actor, { entity: 'USER', entityId: id, label: DELETED, action: 'DELETED' })
    await forgetInAudit(tx, user, DELETED)
    tx.assign(user, {
      name: DELETED,
      email: '',
      emailKey: '',
      emailVerifiedAt: null,
      newEmail: null,
      passwordHash: null,
      isAdmin: false,
      limitedTo: null,
      timeZone: null,
      closedAt: at,
    })
    await recordAccountChange(tx, user)
  })
}
