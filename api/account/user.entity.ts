import { defineEntity, p, type OptionalProps } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import type { ApiScope } from '../generated/types.ts'
import { clock } from '../kernel/clock.ts'
import { missingPermissions } from '../partner/scopes.ts'

const UserSchema = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    name: p.text(),
    email: p.text(),
    /** The normalised email, unique among open accounts that confirmed theirs. */
    emailKey: p.text(),
    /** When the address was confirmed, by a mailed link or by an administrator. Until then anyone may have typed it. */
    emailVerifiedAt: p.datetime().nullable(),
    /** The address asked for, until it is confirmed. */
    newEmail: p.text().nullable(),
    /** Null for an account without a password. */
    passwordHash: p.text().hidden().nullable(),
    isAdmin: p.boolean().default(false),
    /** What it may do as an administrator. Null: everything. */
    limitedTo: p.array<ApiScope>().nullable(),
    /** IANA name of the time zone the account was opened in, for the hours in its letters. Null when nobody said. */
    timeZone: p.text().nullable(),
    createdAt: p.datetime().onCreate(() => clock.now()),
    closedAt: p.datetime().nullable(),
    /** Since when signing in takes a code too. */
    secondFactorAt: p.datetime().nullable(),
  },
})

export class User extends UserSchema.class {
  declare [OptionalProps]?: 'hasSecondFactor' | 'actsAsAdmin' | 'permissions'

  /** Set for a request in a shop whose administrators need a second factor, and this one has none. Never stored. */
  declare awaitsSecondFactor?: boolean

  /** Set for a request that came with an API key: its name. Never stored. */
  declare keyName?: string

  get hasSecondFactor(): boolean {
    return Boolean(this.secondFactorAt)
  }

  /** Whether it may do now what administrators may. */
  get actsAsAdmin(): boolean {
    return this.isAdmin && !this.awaitsSecondFactor
  }

  /** Whether it may do now, as an administrator, what this scope is for. */
  manages(scope: ApiScope): boolean {
    return this.actsAsAdmin && missingPermissions(this, [scope]).length === 0
  }

  /** What it may do as an administrator; nothing for all others. */
  get permissions(): ApiScope[] {
    return this.isAdmin ? (this.limitedTo ?? ['ADMIN']) : []
  }
}
UserSchema.setClass(User)

/** What stands where the name of somebody was who deleted their account. */
export const DELETED = 'Deleted account'

/** One account per mailbox, however it is typed: in capitals, full width, with the Kelvin sign or what cannot be seen. */
export function emailKey(email: string): string {
  const visible = email.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
  return visible.trim().toLowerCase().normalize('NFKC')
}
