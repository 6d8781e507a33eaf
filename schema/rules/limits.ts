const MB = 1024 * 1024

/** Lengths and ranges that form attributes and server checks share. */
export const limits = {
  name: 100,
  email: 254,
  password: { min: 8, max: 128 },
  /** How long a link to choose a new password works. */
  resetMinutes: 60,
  /** How long a link to confirm an email works. */
  confirmHours: 24,
  comment: 2_000,
  /** Characters of what a reviewer says they knitted. */
  project: 120,
  /** Pictures in one review, uploaded for a review not yet written, and in all reviews of an account. */
  reviewPictures: { each: 3, waiting: 12, account: 150 },
  /** Characters of a message to the owner. */
  message: 5_000,
  /** Characters of Markdown in a page about the shop. */
  pageText: 20_000,
  keyword: 100,
  addressLine: 200,
  phone: 40,
  /** Characters of an address's label, and addresses that one account keeps. */
  addressLabel: 40,
  addresses: 20,
  productText: 200,
  sku: 64,
  webhookSkus: 100,
  imageAddress: 2_000,
  /** Pictures of one product. */
  pictures: 12,
  /** Characters of a picture's description. */
  pictureAlt: 200,
  description: 5_000,
  webhookUrl: 2_000,
  rating: { min: 1, max: 5 },
  linesPerOrder: 50,
  /** Characters of an idempotency key. */
  idempotencyKey: 255,
  /** How many days a cart is kept after its last change. */
  cartDays: { guest: 30, account: 180 },
  /** Characters of a dye lot's code, and lots of one product. */
  lot: { code: 40, perProduct: 50 },
  carrier: 50,
  /** Characters of an administrator's note on an order, a product or an account. */
  note: 5_000,
  /** Tags and external ids of one order, product or account, and the characters of each. */
  tags: { each: 20, length: 50 },
  externalIds: { each: 20, namespace: 50, value: 200 },
  /** Characters of why money or goods came back. */
  reason: 200,
  trackingNumber: 100,
  trackingUrl: 2_000,
  /** Products of a group that are shown. */
  groupProducts: 100,
  /** Products in one account's stash. */
  stash: 200,
  /** Sold-out products that one account, or one email address, may wait for. */
  bells: 50,
  /** Characters of a discount code, of the part that all codes of a series begin with, and of what is typed as one. */
  code: { min: 3, max: 24, series: 12, typed: 100 },
  codeProducts: 100,
  codeCategories: 20,
  /** Characters of a query whose answer is exported. */
  exportQuery: 10_000,
  /** Codes of a series made at a time. */
  seriesCodes: 500,
  /** cents: $99,999.99 */
  price: 9_999_999,
  /** cents: $999,999.99 */
  orderTotal: 99_999_999,
  /** Units of one product in stock, and so in a cart. */
  stock: 1_000_000,
  /** The largest files that are accepted. */
  pictureBytes: 5 * MB,
  csvBytes: 10 * MB,
  csvRows: 20_000,
} as const

/** 5242880 -> "5 MB", for people. */
export const megabytes = (bytes: number) => `${bytes / MB} MB`

/**
 * Non-space text, @, text, dot, text. SPEC §5. Every character can match in only one way, so matching takes time in
 * proportion to the length.
 */
export const EMAIL_PATTERN = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/

/** The labels of the five ratings, by rating. SPEC §5. */
export const RATING_LABELS: Record<number, string> = {
  1: 'Not my favorite',
  2: 'A bit tangled',
  3: 'Pretty good',
  4: 'Lovely to stitch',
  5: 'Absolute perfection',
}
