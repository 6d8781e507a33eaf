import { Migration } from '@mikro-orm/migrations'

/** What reviewers tell of their knitting, who found it helpful, and what the shop answers. */
export class Migration034Knitters extends Migration {
  override up() {
    this.addSql(`
      alter table reviews
        -- Millimetres.
        add column needle_mm double precision check (needle_mm > 0 and needle_mm <= 40),
        -- Stitches in 10 cm.
        add column gauge double precision check (gauge > 0 and gauge <= 100),
        add column project text,
        add column helpful integer not null default 0 check (helpful >= 0),
        add column answer text,
        add column answered_at timestamptz,
        add check ((answer is null) = (answered_at is null))`)
    this.addSql(`
      create index reviews_by_stars on reviews (product_id, rating, created_at desc, id desc) where hidden_at is null`)
    this.addSql(`
      create index reviews_helpful on reviews (product_id, helpful desc, created_at desc, id desc) where hidden_at is null`)
    this.addSql(`
      create index reviews_with_gauge on reviews (product_id, created_at desc)
      where hidden_at is null and gauge is not null and needle_mm is not null`)
    this.addSql(`
      create table review_votes (
        review_id uuid not null references reviews (id),
        user_id uuid not null references users (id),
        created_at timestamptz not null,
        primary key (review_id, user_id)
      )`)
  }
}
