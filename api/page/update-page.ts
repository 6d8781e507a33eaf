import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { ownerLimits } from '#schema/rules/owner-limits'
import { changesBetween, recordAudit, type Actor } from '../audit/record-audit.ts'
import type { PageInput } from '../generated/types.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import { check, requiredText } from '../kernel/validation.ts'
import { FIRST_TEXTS } from './first-texts.ts'
import { ShopPage } from './page.entity.ts'

const given = z.object({
  title: requiredText('Title', limits.name),
  markdown: requiredText('Text', ownerLimits.pageText),
  version: z.number().int(),
})

export function updatePage(em: EntityManager, actor: Actor, slug: string, input: PageInput): Promise<ShopPage> {
  const { version, ...fields } = check(given, input)
  return em.transactional(async tx => {
    const page = await tx.findOne(
      ShopPage,
      { slug: slug as ShopPage['slug'] },
      { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
    )
    if (!page) throw refuse('NOT_FOUND', 'There is no such page.')
    const changes = changesBetween(textOf(page), fields, ['title', 'markdown'])
    // Also for who sends the same once more.
    if (changes.length === 0) return page
    if (page.version !== version)
      throw refuse('CONFLICT', 'Somebody changed this page meanwhile. Please look at their text first.', {
        details: { page },
      })
    tx.assign(page, { ...fields, version: version + 1, updatedAt: clock.now() })
    await recordAudit(tx, actor, {
      entity: 'PAGE',
      entityId: page.id,
      label: fields.title,
      action: 'UPDATED',
      changes,
    })
    return page
  })
}

/** Title and text as they are: the owner's, or those the shop comes with. */
export const textOf = ({ slug, title, markdown }: ShopPage) =>
  title != null && markdown != null ? { title, markdown } : FIRST_TEXTS[slug]
