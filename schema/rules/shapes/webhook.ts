import { z } from 'zod'
import { limits } from '../limits.ts'
import { ownerLimits } from '../owner-limits.ts'
import { tags } from './annotation.ts'
import { sku } from './product.ts'
import { requiredText, text } from './text.ts'

/** What browser and server both check of a webhook. Only the server knows whether its address may be called. */
export const webhookFields = {
  url: requiredText('Address', ownerLimits.webhookUrl).pipe(
    z
      .string()
      .refine(url => URL.canParse(url), 'Please enter an address such as https://warehouse.example.com/skein.')
      .transform(url => new URL(url).href),
  ),
  description: text('Description', limits.productText),
  skus: z.array(sku).max(ownerLimits.webhookSkus, `At most ${ownerLimits.webhookSkus} SKUs can be named.`),
  tags,
}
