import { Migration } from '@mikro-orm/migrations'

/** Gift cards and what they pay of orders. */
export class Migration112GiftCards extends Migration {
  override up() {
    this.addSql(`
      create table gift_cards (
        id uuid primary key,
        code text not null unique check (code ~ '^[A-Z0-9]{16}$'),
        initial_amount integer not null check (initial_amount > 0),
        balance integer not null,
        email text,
        email_key text,
        message text,
        note text,
        idempotency_key text unique check (length(idempotency_key) <= 255),
        disabled_at timestamptz,
        created_at timestamptz not null,
        constraint gift_cards_pay_what_is_on_them check (balance between 0 and initial_amount)
      )`)
    this.addSql('create index gift_cards_newest on gift_cards (created_at desc, id desc)')
    this.addSql('create index gift_cards_last_four on gift_cards (right(code, 4))')
    this.addSql('create index gift_cards_email on gift_cards (email_key)')
    this.addSql(`
      create table gift_card_uses (
        order_id uuid references orders (id),
        gift_card_id uuid references gift_cards (id),
        amount integer not null check (amount > 0),
        -- When the order lapsed or was cancelled: the card has it again.
        given_back_at timestamptz,
        primary key (order_id, gift_card_id)
      )`)
    this.addSql('create index gift_card_uses_of_card on gift_card_uses (gift_card_id, order_id desc)')
    this.addSql(`
      alter table orders
        add column gift_card_amount integer not null default 0,
        add constraint orders_gift_cards_pay_of_total check (gift_card_amount between 0 and total_price)`)
    this.addSql(`
      alter table payments
        add column gift_card_id uuid references gift_cards (id),
        add constraint payments_name_their_gift_card check ((method = 'GIFT_CARD') = (gift_card_id is not null))`)
    this.addSql('create index payments_of_gift_card on payments (gift_card_id) where gift_card_id is not null')
    // One refund may go to PayPal in part and to gift cards in part.
    this.addSql('alter table refunds drop constraint refunds_order_id_idempotency_key_key')
    this.addSql('create unique index refunds_once on refunds (order_id, idempotency_key, capture_id)')
  }
}
