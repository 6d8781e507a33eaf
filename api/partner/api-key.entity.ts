import { defineEntity, p } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { User } from '../account/user.entity.ts'
import { isWithin } from '../kernel/addresses.ts'
import { clock } from '../kernel/clock.ts'
import type { ApiScope } from '../generated/types.ts'

const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    name: p.text(),
    /** The first characters of the key, to recognise it by. */
    start: p.text(),
    /** SHA-256 of the key, hex. */
    keyHash: p.text().hidden(),
    scopes: p.array<ApiScope>(),
    /** The hash before, which works until then. */
    formerHash: p.text().nullable().hidden(),
    formerUntil: p.datetime().nullable(),
    /** Addresses and networks, as they were given. Empty: any. */
    allowedAddresses: p
      .array<string>()
      .defaultRaw(`'{}'`)
      .onCreate(() => []),
    account: () => p.manyToOne(User).ref(),
    createdAt: p.datetime().onCreate(() => clock.now()),
    expiresAt: p.datetime().nullable(),
    lastUsedAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
  },
})

export class ApiKey extends ApiKeySchema.class {
  /** Whether it may be used from an address. */
  admits(address: string): boolean {
    return this.allowedAddresses.length === 0 || isWithin(address, this.allowedAddresses)
  }
}
ApiKeySchema.setClass(ApiKey)
