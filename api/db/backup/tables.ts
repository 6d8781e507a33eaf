/** What a backup keeps, each table after those it refers to. */
export const KEPT = [
  'shop_currency',
  'users',
  'second_factors',
  'recovery_codes',
  'linked_identities',
  'product_groups',
  'products',
  'product_lots',
  'reviews',
  'review_votes',
  'review_uploads',
  'stash_items',
  'addresses',
  'carts',
  'bells',
  'orders',
  'order_items',
  'order_incidents',
  'order_links',
  'invoice_recipients',
  'agent_checkouts',
  'fulfilments',
  'fulfilment_lines',
  'fulfilment_returns',
  'fulfilment_return_lines',
  'annotations',
  'external_ids',
  'discount_codes',
  'series_codes',
  'code_uses',
  'stock_movements',
  'bulk_answers',
  'payments',
  'payment_attempts',
  'refunds',
  'webhook_events',
  'newsletter_subscriptions',
  'pages',
  'collections',
  'collection_products',
  'product_imports',
  'product_import_rows',
  'product_import_pictures',
  'audit_entries',
  'api_keys',
  'api_key_uses',
  'events',
  'event_sequences',
  'webhooks',
  'webhook_deliveries',
  'mails',
  'search_words',
  'search_meanings',
  'search_synonyms',
  'search_terms',
]

/** What a shop has before anybody used it; migrations fill these. */
export const FROM_THE_START = ['discount_codes', 'pages', 'search_meanings', 'search_synonyms']

/** What must not come back: a session or a link that was ended since would work again. */
export const LEFT_OUT = [
  'sessions',
  'password_resets',
  'email_confirmations',
  'account_exports',
  'sign_in_tickets',
  'spent_id_tokens',
  'newsletter_links',
  'bell_links',
  'known_devices',
  'rate_limits',
  // They follow from orders, products and accounts, as those come back.
  'product_documents',
  'sales',
  'sales_changes',
  'sales_days',
  'tallies',
  'tally_changes',
  'product_sales',
  'product_sales_late',
  'product_sales_windows',
  'product_sales_totals',
  'product_sales_state',
  'vocabulary_changes',
  // Their files are in no backup.
  'exports',
]

/** Sequences that belong to no table. */
export const SEQUENCES = ['event_places', 'product_skus']

/** Of the job queue, what is still to be done; `pgboss` is its own schema. */
export const JOBS = [
  { table: 'pgboss.queue', only: 'true' },
  { table: 'pgboss.job', only: `state < 'completed'` },
]
