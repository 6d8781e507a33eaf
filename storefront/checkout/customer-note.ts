import { limits } from '#schema/rules/limits'
import { stored } from '../data/stored.ts'

/** What the shopper wants the shop to know about the order that is being placed, as it was typed. */
export const customerNote = stored('customerNote', '', raw =>
  typeof raw === 'string' ? raw.slice(0, limits.customerNote) : '',
)
