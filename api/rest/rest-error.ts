import type { UserErrorCode } from '../generated/types.ts'

/** A refusal with its HTTP status; the answer is `{ message, code }`. */
export class RestError extends Error {
  readonly status: number
  readonly code: string
  /** Seconds. */
  readonly retryAfter: number | undefined

  constructor(status: number, code: string, message: string, retryAfter?: number) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
  }
}

export const STATUS_OF_USER_ERROR: Record<UserErrorCode, number> = {
  INVALID: 400,
  CART_EMPTY: 400,
  FILE_UNREADABLE: 400,
  WRONG_CREDENTIALS: 401,
  SECOND_FACTOR_REQUIRED: 401,
  SECOND_FACTOR_WRONG: 401,
  PAYMENT_FAILED: 402,
  REFUND_FAILED: 402,
  INSTRUMENT_DECLINED: 402,
  CURRENT_PASSWORD: 403,
  NOT_FOUND: 404,
  ALREADY_DELIVERED: 409,
  ALREADY_PAID: 409,
  ALREADY_REVIEWED: 409,
  API_KEYS_IN_FORCE: 409,
  CONFLICT: 409,
  WEBHOOK_PAUSED: 409,
  EMAIL_LINK_SPENT: 409,
  EMAIL_TAKEN: 409,
  IMPORT_STATE: 409,
  LAST_ADMIN: 409,
  RESET_LINK_SPENT: 409,
  NOT_HELD: 409,
  SECOND_FACTOR_STATE: 409,
  NOT_PAID: 409,
  ORDER_CANCELLED: 409,
  OUT_OF_STOCK: 409,
  PAYMENT_PENDING: 409,
  PRICE_CHANGED: 409,
  SKU_TAKEN: 409,
  TOO_MANY_UNITS_HELD: 409,
  TOO_MANY_UNPAID_ORDERS: 409,
  FILE_TOO_LARGE: 413,
  IDEMPOTENCY_MISMATCH: 422,
  MAIL_OFF: 503,
  PAYMENT_UNAVAILABLE: 503,
}

export const STATUS_OF_ERROR_CODE: Record<string, number> = {
  BAD_USER_INPUT: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  SECOND_FACTOR_MISSING: 403,
  NOT_FOUND: 404,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
  TIMEOUT: 504,
  STORAGE_FULL: 507,
}
