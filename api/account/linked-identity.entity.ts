import { defineEntity, p } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { clock } from '../kernel/clock.ts'
import type { SignInProvider } from '../generated/types.ts'
import { User } from './user.entity.ts'

const LinkedIdentitySchema = defineEntity({
  name: 'LinkedIdentity',
  tableName: 'linked_identities',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    account: () => p.manyToOne(User).ref(),
    provider: p.text().$type<SignInProvider>(),
    /** The provider. Unique together with `subject`, which never changes there. */
    issuer: p.text(),
    subject: p.text(),
    /** The email the provider gave when it was linked. */
    email: p.text().nullable(),
    createdAt: p.datetime().onCreate(() => clock.now()),
  },
})

/** An account at a provider, that opens an account of the shop. */
export class LinkedIdentity extends LinkedIdentitySchema.class {}
LinkedIdentitySchema.setClass(LinkedIdentity)
