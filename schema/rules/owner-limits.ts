import { MB } from './limits.ts'

/** Lengths and ranges of what administrators and programs send: shoppers' pages need none of them. */
export const ownerLimits = {
  /** Characters of Markdown in a page about the shop. */
  pageText: 20_000,
  /** Characters of what is shown above the shop's pages, and of where it leads. */
  announcement: { text: 200, link: 2_000 },
  sku: 64,
  webhookSkus: 100,
  imageAddress: 2_000,
  /** Pictures of one product. */
  pictures: 12,
  /** PDFs that come with one product, the largest of them, and characters of what one is called. */
  download: { perProduct: 10, bytes: 25 * MB, title: 120 },
  description: 5_000,
  webhookUrl: 2_000,
  /** Characters of a dye lot's code, and lots of one product. */
  lot: { code: 40, perProduct: 50 },
  carrier: 50,
  /** The most days that an order taken for a customer waits to be paid. */
  holdDays: 30,
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
  /** Collections of the shop, products of one, and characters of what it is about. */
  collection: { all: 24, products: 60, description: 1_000 },
  /** Characters of a discount code, of the part that all codes of a series begin with, and of what is typed as one. */
  code: { min: 3, max: 24, series: 12, typed: 100 },
  codeProducts: 100,
  codeCategories: 20,
  /** Characters of a query whose answer is exported. */
  exportQuery: 10_000,
  /** Codes of a series made at a time. */
  seriesCodes: 500,
  csvBytes: 10 * MB,
  csvRows: 20_000,
} as const
