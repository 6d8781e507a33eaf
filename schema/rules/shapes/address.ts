import { z } from 'zod'
import { limits } from '../limits.ts'
import { requiredText, text } from './text.ts'

const line = (label: string) => text(label, limits.addressLine).default('')

/** A phone number written in any country's style, with or without an extension. It may be empty. */
const isPhone = (typed: string) =>
  typed === '' || (/^[+\d\s()./-]+(?:(?:x|ext\.?)\s*\d+)?$/i.test(typed) && typed.replace(/\D/g, '').length >= 5)

/** Where a parcel goes. SPEC §5: name and country are required. */
export const shippingAddress = z.object({
  name: requiredText('Name', limits.addressLine),
  address: line('Address'),
  address2: line('Address line 2'),
  city: line('City'),
  state: line('State'),
  postalCode: line('Postal code'),
  country: requiredText('Country', limits.addressLine),
  phone: text('Phone', limits.phone)
    .refine(isPhone, 'Please enter a phone number the carrier can call, such as +1 207 555 0199.')
    .default(''),
})

/** Where an order goes: an address, or the shop's own for who picks it up, where only name and phone are read. */
export const orderAddress = shippingAddress.extend({
  // Left away where it says nothing, so that addresses stay what they were.
  isPickup: z
    .boolean()
    .transform(is => is || undefined)
    .optional(),
})

/** The label of an address in the address book. */
export const addressLabel = text('What it is called', limits.addressLabel)

/** An address in a form that can save it in the address book. */
export const labelledAddress = shippingAddress.extend({ label: addressLabel.default('') })
