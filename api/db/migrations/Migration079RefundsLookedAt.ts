import { Migration } from '@mikro-orm/migrations'

/** That PayPal was asked about a refund is no change of its order. */
export class Migration079RefundsLookedAt extends Migration {
  override up() {
    this.addSql('drop trigger refunds_change_order on refunds')
    this.addSql(`
      create constraint trigger refunds_begun after insert on refunds
      deferrable initially deferred for each row execute function note_change_within_orders()`)
    // It would lock the order after the refund, and whoever writes a refund down locks its order first.
    this.addSql(`
      create constraint trigger refunds_went_on after update on refunds
      deferrable initially deferred for each row
      when (to_jsonb(old) - 'checked_at' <> to_jsonb(new) - 'checked_at')
      execute function note_change_within_orders()`)
  }
}
