import { Migration } from '@mikro-orm/migrations'

/** That an account gets a password, or has none any more, is shown with it: its `updatedAt` moves. Which password, is not. */
export class Migration070Passwords extends Migration {
  override up() {
    this.addSql(`
      create or replace function note_password_of_users() returns trigger language plpgsql as $$
        begin
          -- note_change_of_users, which comes next, does the rest.
          new.updated_at := clock_timestamp();
          return new;
        end
      $$`)
    this.addSql(`
      create trigger users_have_password before update on users for each row
      when ((old.password_hash is null) <> (new.password_hash is null)) execute function note_password_of_users()`)
  }
}
