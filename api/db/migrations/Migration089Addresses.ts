import { Migration } from '@mikro-orm/migrations'

/** Whose an address is or was, open or closed: what a guest has ordered before is looked up by it. */
export class Migration089Addresses extends Migration {
  override up() {
    this.addSql('create index users_of_address on users (email_key)')
  }
}
