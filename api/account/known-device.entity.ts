import { defineEntity, p } from '@mikro-orm/postgresql'
import { User } from './user.entity.ts'

const KnownDeviceSchema = defineEntity({
  name: 'KnownDevice',
  tableName: 'known_devices',
  properties: {
    /** SHA-256 of the token, hex. The token itself is in the browser alone. */
    tokenHash: p.text().primary(),
    user: () => p.manyToOne(User).ref(),
    createdAt: p.datetime(),
  },
})

/**
 * A browser that an account was signed in from. It grants no access, but strangers' failed sign-ins do not count
 * against it.
 */
export class KnownDevice extends KnownDeviceSchema.class {}
KnownDeviceSchema.setClass(KnownDevice)
