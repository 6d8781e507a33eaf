// PayPal's refusals, word for word where they are known.
import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'

interface Known {
  status: number
  description: string
}

const ISSUES = {
  MALFORMED_REQUEST_JSON: { status: 400, description: 'The request JSON is not well formed.' },
  MISSING_REQUIRED_PARAMETER: { status: 400, description: 'A required field / parameter is missing.' },
  INVALID_PARAMETER_SYNTAX: {
    status: 400,
    description: 'The value of a field does not conform to the expected format.',
  },
  INVALID_RESOURCE_ID: {
    status: 404,
    description: 'Specified resource ID does not exist. Please check the resource ID and try again.',
  },
  AMOUNT_MISMATCH: {
    status: 422,
    description:
      'Should equal item_total + tax_total + shipping + handling + insurance - shipping_discount - discount.',
  },
  DECIMAL_PRECISION: {
    status: 422,
    description: 'If the currency supports decimals, only two decimal place precision is supported.',
  },
  CANNOT_BE_ZERO_OR_NEGATIVE: { status: 422, description: 'Must be greater than zero.' },
  INVALID_CURRENCY_CODE: { status: 422, description: 'Currency code is invalid or is not currently supported.' },
  ORDER_NOT_APPROVED: {
    status: 422,
    description:
      "Payer has not yet approved the Order for payment. Please redirect the payer to the 'rel':'approve' url returned as part of the HATEOAS links within the Create Order call or provide a valid `payment_source` in the request.",
  },
  ORDER_ALREADY_CAPTURED: {
    status: 422,
    description: "Order already captured.If 'intent=CAPTURE' only one capture per order is allowed.",
  },
  INSTRUMENT_DECLINED: {
    status: 422,
    description:
      "The instrument presented  was either declined by the processor or bank, or it can't be used for this payment.",
  },
  PAYER_ACTION_REQUIRED: {
    status: 422,
    description: 'Payer needs to perform the following action before proceeding with payment.',
  },
  DUPLICATE_INVOICE_ID: {
    status: 422,
    description:
      'Duplicate Invoice ID detected. To avoid a potential duplicate transaction your account setting requires that Invoice Id be unique for each transaction.',
  },
  TRANSACTION_REFUSED: { status: 422, description: 'The request was refused.' },
  MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED: {
    status: 422,
    description: 'You have exceeded the maximum number of payment attempts.',
  },
  CAPTURE_FULLY_REFUNDED: { status: 422, description: 'The capture has already been fully refunded.' },
  REFUND_AMOUNT_EXCEEDED: {
    status: 422,
    description: 'The refund amount must be less than or equal to the capture amount that has not yet been refunded.',
  },
  REFUND_CAPTURE_CURRENCY_MISMATCH: {
    status: 422,
    description: 'Refund must be in the same currency as the capture.',
  },
  PREVIOUS_REQUEST_IN_PROGRESS: {
    status: 409,
    description: 'A previous request on this resource is currently in progress.',
  },
  PERMISSION_DENIED: {
    status: 403,
    description: 'You do not have permission to access or perform operations on this resource.',
  },
  INTERNAL_SERVICE_ERROR: { status: 500, description: 'An internal service error has occurred.' },
} satisfies Record<string, Known>

export type Issue = keyof typeof ISSUES

const FRAMES: Record<number, { name: string; message: string }> = {
  400: {
    name: 'INVALID_REQUEST',
    message: 'Request is not well-formed, syntactically incorrect, or violates schema.',
  },
  403: { name: 'NOT_AUTHORIZED', message: 'Authorization failed due to insufficient permissions.' },
  404: { name: 'RESOURCE_NOT_FOUND', message: 'The specified resource does not exist.' },
  409: { name: 'RESOURCE_CONFLICT', message: 'The server has detected a conflict while processing this request.' },
  422: {
    name: 'UNPROCESSABLE_ENTITY',
    message: 'The requested action could not be performed, semantically incorrect, or failed business validation.',
  },
  500: { name: 'INTERNAL_SERVER_ERROR', message: 'An internal server error has occurred.' },
}

export interface Refusal {
  refused: Issue
  status: number
  body: object
}

export function refusal(issue: Issue): Refusal {
  const { status, description } = ISSUES[issue]
  return {
    refused: issue,
    status,
    body: {
      ...FRAMES[status],
      debug_id: debugId(),
      details: [{ issue, description }],
      links: [
        {
          href: `https://developer.paypal.com/api/rest/reference/orders/v2/errors/#${issue}`,
          rel: 'information_link',
          method: 'GET',
        },
      ],
    },
  }
}

export function isRefusal(value: object): value is Refusal {
  return 'refused' in value
}

export function isIssue(text: string): text is Issue {
  return Object.hasOwn(ISSUES, text)
}

/** OAuth answers in its own shape, and so does a missing bearer token. */
export function unauthorized(error: 'invalid_client' | 'invalid_token'): object {
  return {
    error,
    error_description:
      error === 'invalid_client' ? 'Client Authentication failed' : 'Token signature verification failed',
  }
}

export function debugId(): string {
  return randomBytes(7).toString('hex').slice(0, 13)
}

export function refuse(reply: FastifyReply, { status, body }: Refusal): FastifyReply {
  return reply.status(status).send(body)
}
