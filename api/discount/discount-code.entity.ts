import { defineEntity, p, type OptionalProps } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import type { DiscountTerms } from '#schema/rules/discount'
import { discountWords } from '#schema/rules/discount-words'
import { clock } from '../kernel/clock.ts'
import type { DiscountCodeStatus } from '../generated/types.ts'

const DiscountCodeSchema = defineEntity({
  name: 'DiscountCode',
  tableName: 'discount_codes',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    /** As `normalCode` makes it. Of a series, how its codes begin. */
    code: p.text(),
    isSeries: p.boolean().default(false),
    kind: p.text().$type<DiscountTerms['kind']>(),
    basisPoints: p.integer().default(0),
    amount: p.integer().default(0),
    minimum: p.integer().default(0),
    productIds: p.array<string>().columnType('uuid[]'),
    categories: p.array<string>(),
    startsAt: p.datetime().nullable(),
    endsAt: p.datetime().nullable(),
    maxUses: p.integer().nullable(),
    maxUsesPerPerson: p.integer().nullable(),
    isForFirstOrder: p.boolean().default(false),
    pausedAt: p.datetime().nullable(),
    createdAt: p.datetime().onCreate(() => clock.now()),
  },
})

export class DiscountCode extends DiscountCodeSchema.class {
  declare [OptionalProps]?: 'description' | 'terms'

  get description(): string {
    return discountWords(this)
  }

  get terms() {
    const { kind, basisPoints, amount, minimum, productIds, categories, startsAt, endsAt } = this
    return {
      kind,
      basisPoints,
      amount,
      minimum,
      productIds,
      categories,
      startsAt: startsAt ?? null,
      endsAt: endsAt ?? null,
    }
  }

  statusAt(now: Date, uses: number): DiscountCodeStatus {
    if (this.pausedAt) return 'PAUSED'
    if (this.endsAt && now >= this.endsAt) return 'EXPIRED'
    if (this.maxUses != null && uses >= this.maxUses) return 'USED_UP'
    return this.startsAt && now < this.startsAt ? 'SCHEDULED' : 'ACTIVE'
  }
}
DiscountCodeSchema.setClass(DiscountCode)
