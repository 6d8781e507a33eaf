import { Migration } from '@mikro-orm/migrations'

/** What a person ordered as a guest, was written and was sent, is looked up by these, not by reading all of it. */
export class Migration089Lookups extends Migration {
  override up() {
    this.addSql('create index users_of_address on users (email_key)')
    this.addSql('create index series_codes_of_address on series_codes (email_key) where email_key is not null')
    for (const [name, of] of [
      ['account', `about->>'userId'`],
      ['order', `about->>'orderId'`],
    ])
      this.addSql(`create index mails_by_${name} on mails ((${of})) where ${of} is not null`)
  }
}
