export const MB = 1024 * 1024

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
  /** Characters of what a shopper tells the shop with an order. */
  customerNote: 500,
  keyword: 100,
  addressLine: 200,
  phone: 40,
  /** Characters of an address's label, and addresses that one account keeps. */
  addressLabel: 40,
  addresses: 20,
  productText: 200,
  /** Characters of a picture's description. */
  pictureAlt: 200,
  rating: { min: 1, max: 5 },
  linesPerOrder: 50,
  /** Gift cards that one order is paid with, and characters of what is written to who gets one. */
  giftCards: 5,
  /** Gift cards that one order can be for. */
  giftCardsBought: 50,
  giftMessage: 300,
  /** Characters of an idempotency key. */
  idempotencyKey: 255,
  /** How many days a cart is kept after its last change. */
  cartDays: { guest: 30, account: 180 },
  /** Products in one account's stash. */
  stash: 200,
  /** Sold-out products that one account, or one email address, may wait for. */
  bells: 50,
  /** cents: $99,999.99 */
  price: 9_999_999,
  /** cents: $999,999.99 */
  orderTotal: 99_999_999,
  /** Units of one product in stock, and so in a cart. */
  stock: 1_000_000,
  /** The largest files that are accepted. */
  pictureBytes: 5 * MB,
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
