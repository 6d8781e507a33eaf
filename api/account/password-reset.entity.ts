import { defineEntity, p } from '@mikro-orm/postgresql'
import { User } from './user.entity.ts'

const PasswordResetSchema = defineEntity({
  name: 'PasswordReset',
  tableName: 'password_resets',
  properties: {
    /** SHA-256 of the token, hex. The token itself is in the mail alone. */
    tokenHash: p.text().primary(),
    user: () => p.manyToOne(User).ref(),
    /** The mail it is in. One that had to be sent twice has two, and both are good. */
    mailId: p.uuid(),
    createdAt: p.datetime(),
  },
})

/** A link to choose a new password. It is gone once it was used. */
export class PasswordReset extends PasswordResetSchema.class {}
PasswordResetSchema.setClass(PasswordReset)
