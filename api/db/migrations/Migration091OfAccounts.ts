import { Migration } from '@mikro-orm/migrations'

/** What a person wrote, voted for and saved is found by these: for their file, and when an account is made or deleted. */
export class Migration091OfAccounts extends Migration {
  override up() {
    this.addSql('create index reviews_of_account on reviews (user_id)')
    this.addSql('create index review_votes_of_account on review_votes (user_id)')
    this.addSql('create index agent_checkouts_of_order on agent_checkouts (order_id) where order_id is not null')
    // Whose the uses are first, so that these find what they used of any code, too.
    for (const [index, column, before] of [
      ['code_uses_of_account', 'user_id', 'code_uses_of_person'],
      ['code_uses_of_address', 'guest_key', 'code_uses_of_guest'],
    ]) {
      this.addSql(`create index ${index} on code_uses (${column}, discount_code_id) where ${column} is not null`)
      this.addSql(`drop index ${before}`)
    }
  }
}
