import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import { announcement as shape } from '#schema/rules/shapes/announcement'
import { changesBetween, recordAudit, type Actor } from '../audit/record-audit.ts'
import type { AnnouncementInput } from '../generated/types.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import { check } from '../kernel/validation.ts'
import { Announcement, ANNOUNCEMENT } from './announcement.entity.ts'

/** What shoppers see at this moment. */
export function announcementNow(em: EntityManager): Promise<Announcement | null> {
  const now = clock.now()
  return em.findOne(Announcement, {
    text: { $ne: '' },
    $and: [
      { $or: [{ startsAt: null }, { startsAt: { $lte: now } }] },
      { $or: [{ endsAt: null }, { endsAt: { $gt: now } }] },
    ],
  })
}

export function updateAnnouncement(em: EntityManager, actor: Actor, input: AnnouncementInput): Promise<Announcement> {
  const { version, ...fields } = check(shape, input)
  return em.transactional(async tx => {
    const found = await tx.findOneOrFail(
      Announcement,
      { id: ANNOUNCEMENT },
      { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
    )
    const { text, link, startsAt, endsAt } = found
    const changes = changesBetween({ text, link, startsAt, endsAt }, fields, ['text', 'link', 'startsAt', 'endsAt'])
    // Also for who sends the same once more.
    if (changes.length === 0) return found
    if (found.version !== version)
      throw refuse('CONFLICT', 'Somebody changed the announcement meanwhile. Please look at theirs first.', {
        details: { announcement: found },
      })
    tx.assign(found, { ...fields, version: version + 1 })
    await recordAudit(tx, actor, {
      entity: 'ANNOUNCEMENT',
      entityId: found.id,
      label: fields.text || 'Nothing to say',
      action: 'UPDATED',
      changes,
    })
    return found
  })
}
