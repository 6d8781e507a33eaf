import { Migration } from '@mikro-orm/migrations'

/** More of what an API key may be used for. Which scopes there are, the contract says. */
export class Migration049Scopes extends Migration {
  override up() {
    this.addSql('alter table api_keys drop constraint api_keys_scopes_check')
    this.addSql('alter table api_keys add constraint api_keys_scopes_check check (cardinality(scopes) > 0)')
  }
}
