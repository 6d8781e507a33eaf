// What a shop may send for a new order and for a refund.
import { z } from 'zod'
import { isRefusal, refusal } from './errors.ts'
import { acceptAmount, cents, type Amount } from './store.ts'

const money = z.object({ currency_code: z.string(), value: z.string() })

const newOrderShape = z.object({
  intent: z.literal('CAPTURE'),
  purchase_units: z
    .array(
      z.object({
        reference_id: z.string().max(256).default('default'),
        description: z.string().max(127).default(''),
        custom_id: z.string().max(255).optional(),
        invoice_id: z.string().max(127).optional(),
        payee: z.object({ merchant_id: z.string() }).optional(),
        amount: money.extend({
          breakdown: z.partialRecord(z.enum(['item_total', 'shipping', 'tax_total', 'discount']), money).optional(),
        }),
      }),
    )
    .length(1),
  application_context: z.object({ brand_name: z.string().max(127).optional() }).optional(),
})

export const refundShape = z
  .object({
    amount: money.optional(),
    custom_id: z.string().max(127).optional(),
    invoice_id: z.string().max(127).optional(),
  })
  .transform(({ amount, custom_id, invoice_id }) => ({ amount, customId: custom_id, invoiceId: invoice_id }))

export function readNewOrder(body: unknown) {
  const parsed = newOrderShape.safeParse(body)
  if (!parsed.success) {
    const missing = parsed.error.issues.some(issue => issue.code === 'invalid_type')
    return refusal(missing ? 'MISSING_REQUIRED_PARAMETER' : 'INVALID_PARAMETER_SYNTAX')
  }
  const [unit] = parsed.data.purchase_units
  if (!unit) return refusal('MISSING_REQUIRED_PARAMETER')
  const amount = acceptAmount(unit.amount)
  if (isRefusal(amount)) return amount
  if (unit.amount.breakdown) {
    const { discount, ...charges } = unit.amount.breakdown
    if (sumOf(Object.values(charges)) - sumOf(discount ? [discount] : []) !== cents(amount))
      return refusal('AMOUNT_MISMATCH')
  }
  return {
    referenceId: unit.reference_id,
    description: unit.description,
    brandName: parsed.data.application_context?.brand_name ?? 'Test shop',
    ...(unit.payee && { merchantId: unit.payee.merchant_id }),
    ...(unit.custom_id && { customId: unit.custom_id }),
    ...(unit.invoice_id && { invoiceId: unit.invoice_id }),
    amount,
  }
}

function sumOf(amounts: Amount[]): number {
  return amounts.reduce((sum, amount) => sum + cents(amount), 0)
}
