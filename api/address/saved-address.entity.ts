import { defineEntity, p } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { User } from '../account/user.entity.ts'
import { clock } from '../kernel/clock.ts'
import type { ShippingAddress } from '../order/order.entity.ts'

const SavedAddressSchema = defineEntity({
  name: 'SavedAddress',
  tableName: 'addresses',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    userId: () => p.manyToOne(User).mapToPk().fieldName('user_id'),
    label: p.text(),
    shippingAddress: p.json<ShippingAddress>(),
    isDefault: p.boolean(),
    createdAt: p.datetime().onCreate(() => clock.now()),
  },
})

/** An address of an account's book. */
export class SavedAddress extends SavedAddressSchema.class {}
SavedAddressSchema.setClass(SavedAddress)
