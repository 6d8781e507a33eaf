import { formatCents } from '#schema/rules/money'
import { labelOf } from '#schema/rules/product-fields'
import type { AuditAction, AuditEntity, EventType } from '../../generated/types.ts'
import { formatMoment } from '../../ui/dates.ts'
import { permissionsInWords } from '../../account/admin/permissions.ts'
import { scopesInWords } from '../../partner/admin/scopes.ts'
import { paths } from '../../paths.ts'
import { eventsInWords } from '../../webhook/admin/events.ts'

export const entityWords: Record<AuditEntity, string> = {
  PRODUCT: 'Product',
  USER: 'User',
  ORDER: 'Order',
  REVIEW: 'Review',
  IMPORT: 'Import',
  API_KEY: 'API key',
  WEBHOOK: 'Webhook',
  DISCOUNT_CODE: 'Code',
  GIFT_CARD: 'Gift card',
  PAGE: 'Page',
  ANNOUNCEMENT: 'Announcement',
  COLLECTION: 'Collection',
  EXPORT: 'Export',
}

export const actionWords: Record<AuditAction, string> = {
  CREATED: 'Created',
  UPDATED: 'Changed',
  ARCHIVED: 'Archived',
  CLOSED: 'Closed',
  PACKED: 'Packed a parcel of',
  UNPACKED: 'Cancelled a parcel of',
  SENT: 'Sent a parcel of',
  TRACKED: 'Changed the tracking of',
  PARTLY_DELIVERED: 'Delivered a parcel of',
  RETURNED: 'Took back a parcel of',
  DELIVERED: 'Delivered',
  ATTENTION_RESOLVED: 'Resolved',
  HOLD_RELEASED: 'Released the stock of',
  LETTER_SENT: 'Sent the letter again of',
  PAID: 'Recorded the payment of',
  REFUNDED: 'Refunded',
  REVOKED: 'Revoked',
  DELETED: 'Deleted',
  SECRET_ROTATED: 'Rotated the secret of',
  HIDDEN: 'Hid',
  RESTORED: 'Restored',
  APPLIED: 'Applied',
  UNDONE: 'Undid',
  DOWNLOADED: 'Downloaded',
}

/** The action without its object, such as "Sent a parcel" for "Sent a parcel of". */
export const actionAlone = (action: AuditAction) => actionWords[action].replace(/ of$/, '')

export const entities = Object.keys(entityWords) as AuditEntity[]
export const actions = Object.keys(actionWords) as AuditAction[]

const fieldWords: Record<string, string> = {
  countInStock: 'Stock',
  lots: 'Dye lots',
  sku: 'SKU',
  skus: 'SKUs',
  fulfilments: 'Parcel',
  trackingUrl: 'Tracking link',
  externalIds: 'External ids',
  isAdmin: 'Is admin',
  isPublished: 'Published',
  permissions: 'May do',
  isDraft: 'Draft',
  image: 'Picture',
  pictures: 'Pictures',
  content: 'Content',
  hiddenReason: 'Reason',
  answer: 'Answer',
  creates: 'New products',
  updates: 'Changed products',
}

/** Fields that hold an amount. Digits in other fields, such as a tracking number, are a name. */
const COUNTS: readonly string[] = ['countInStock', 'creates', 'updates', 'seriesCodes', 'maxUses', 'maxUsesPerPerson']

/** "Recommended care" for `recommendedCare`. */
export function fieldName(field: string): string {
  return fieldWords[field] ?? labelOf(field.replace(/^facts\./, ''))
}

/** A field's text as people read it. */
export function fieldValue(field: string, text: string | null | undefined): string {
  if (text === null || text === undefined) return 'nothing'
  if (text === '') return 'empty'
  if (field === 'scopes') return scopesInWords(text)
  if (field === 'permissions') return permissionsInWords(text)
  if (field === 'events') return eventsInWords(text.split(' ') as EventType[])
  if (/(price|amount|minimum)$/i.test(field) && /^-?\d+$/.test(text)) return formatCents(Number(text))
  if (text === 'true') return 'yes'
  if (text === 'false') return 'no'
  if (/(At|From|Until)$/.test(field) && !Number.isNaN(Date.parse(text))) return formatMoment(text)
  if (COUNTS.includes(field) && /^-?\d+$/.test(text)) return Number(text).toLocaleString('en-US')
  return text
}

/** The link to what was changed: its page, or the list it is in. Null when there is neither. */
export function entityPath(entity: AuditEntity, id: string): string | null {
  if (entity === 'PRODUCT') return paths.adminProduct(id)
  if (entity === 'USER') return paths.adminUser(id)
  if (entity === 'ORDER') return paths.order(id)
  if (entity === 'IMPORT') return paths.adminImport(id)
  if (entity === 'API_KEY') return paths.adminPartners()
  if (entity === 'DISCOUNT_CODE') return paths.adminCodes()
  if (entity === 'GIFT_CARD') return paths.adminGiftCards()
  if (entity === 'PAGE') return paths.adminPages()
  if (entity === 'ANNOUNCEMENT') return paths.adminPages('announcement')
  if (entity === 'COLLECTION') return paths.adminCollections(id)
  if (entity === 'WEBHOOK') return paths.adminWebhook(id)
  return null
}
