import { Migration } from '@mikro-orm/migrations'

/** Pictures of reviews: with the review's row, as they are read with it and never without. */
export class Migration048ReviewPictures extends Migration {
  override up() {
    this.addSql(`
      alter table reviews add column pictures jsonb not null default '[]'
        constraint reviews_have_a_few_pictures check (jsonb_typeof(pictures) = 'array' and jsonb_array_length(pictures) <= 3)`)
    // Whether a file is still shown is asked for every file that may be cleared away.
    this.addSql(`
      create index reviews_by_picture on reviews using gin (pictures jsonb_path_ops) where pictures <> '[]'`)
    this.addSql(`create index reviews_with_pictures on reviews (user_id) where pictures <> '[]'`)
    this.addSql(`
      -- What was uploaded for a review that is not written yet.
      create table review_uploads (
        image text primary key,
        user_id uuid not null references users (id),
        width integer not null,
        height integer not null,
        created_at timestamptz not null
      )`)
    this.addSql('create index review_uploads_of_an_account on review_uploads (user_id, created_at)')
    this.addSql('create index review_uploads_by_age on review_uploads (created_at)')
  }
}
