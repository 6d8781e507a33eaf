import { z } from 'zod'
import { codeOfCountry, countryNamed } from '#schema/rules/countries'
import { limits } from '#schema/rules/limits'
import { shippingAddress } from '#schema/rules/shapes/address'
import { email, text } from '#schema/rules/shapes/text'
import type { Buyer } from './agent-checkout.entity.ts'
import { error, type Message } from './call.ts'

const line = z.string().max(1_000).optional()

const destination = z.looseObject({
  id: z.string().max(200).optional(),
  first_name: line,
  last_name: line,
  street_address: line,
  extended_address: line,
  address_locality: line,
  address_region: line,
  postal_code: line,
  address_country: line.describe('ISO 3166-1, or its name in English'),
  phone_number: line,
})

export const fulfillment = z
  .looseObject({
    methods: z
      .array(
        z.looseObject({
          id: z.string().max(200).optional(),
          type: z.literal('shipping').optional(),
          line_item_ids: z.array(z.string().max(200)).max(limits.linesPerOrder).optional(),
          destinations: z.array(destination).max(10).optional().describe('Where it goes'),
          selected_destination_id: z.string().max(200).nullish(),
          groups: z
            .array(
              z.looseObject({ id: z.string().max(200).optional(), selected_option_id: z.string().max(200).nullish() }),
            )
            .max(10)
            .optional(),
        }),
      )
      .max(1)
      .optional(),
  })
  .optional()

const sayingOf = ({ issues }: z.core.$ZodError) => issues.map(({ message }) => message).join(' ')

const buyerFields = {
  email,
  first_name: text('First name', limits.addressLine),
  last_name: text('Last name', limits.addressLine),
  phone_number: text('Phone', limits.phone),
}

/** What can be kept of a buyer; the rest is reported in a message. */
export function readBuyer(given: Buyer) {
  const buyer: Buyer = {}
  const messages: Message[] = []
  for (const [field, shape] of Object.entries(buyerFields) as [keyof Buyer, z.ZodType<string>][]) {
    if (given[field] === undefined) continue
    const { success, data, error: wrong } = shape.safeParse(given[field])
    if (success) buyer[field] = data
    else messages.push(error(`invalid_${field}`, sayingOf(wrong), 'recoverable', `$.buyer.${field}`))
  }
  return { buyer, messages }
}

/** Where it goes: the destination that was chosen, or the first. What cannot be an address is reported, and not taken. */
export function readAddress(
  asked: z.output<typeof fulfillment>,
  buyer: Buyer,
): { address: z.output<typeof shippingAddress> | null; messages: Message[] } {
  const { destinations = [], selected_destination_id: chosen } = asked?.methods?.[0] ?? {}
  const index = Math.max(
    destinations.findIndex(({ id }) => id !== undefined && id === chosen),
    0,
  )
  const given = destinations[index]
  if (!given) return { address: null, messages: [] }
  const path = `$.fulfillment.methods[0].destinations[${index}]`
  const nameOf = (person: Buyer) => [person.first_name, person.last_name].filter(Boolean).join(' ')
  const {
    success,
    data,
    error: wrong,
  } = shippingAddress.safeParse({
    name: nameOf(given) || nameOf(buyer),
    address: given.street_address,
    address2: given.extended_address,
    city: given.address_locality,
    state: given.address_region,
    postalCode: given.postal_code,
    country: countryNamed(given.address_country ?? ''),
    phone: given.phone_number ?? buyer.phone_number,
  })
  if (!success) return { address: null, messages: [error('invalid_address', sayingOf(wrong), 'recoverable', path)] }
  if (codeOfCountry(data.country) === undefined)
    return {
      address: null,
      messages: [error('address_undeliverable', 'There is no such country.', 'recoverable', `${path}.address_country`)],
    }
  return { address: data, messages: [] }
}
