import { defineEntity, p } from '@mikro-orm/postgresql'
import { User } from './user.entity.ts'

const EmailConfirmationSchema = defineEntity({
  name: 'EmailConfirmation',
  tableName: 'email_confirmations',
  properties: {
    /** SHA-256 of the token, hex. The token itself is in the mail alone. */
    tokenHash: p.text().primary(),
    user: () => p.manyToOne(User).ref(),
    /** Where the mail went. */
    email: p.text(),
    /** The mail it is in. One that had to be sent twice has two, and both are good. */
    mailId: p.uuid(),
    createdAt: p.datetime(),
  },
})

/** A link that shows that mails to an address reach an account's owner. It is gone once it was used. */
export class EmailConfirmation extends EmailConfirmationSchema.class {}
EmailConfirmationSchema.setClass(EmailConfirmation)
