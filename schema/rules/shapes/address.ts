import { z } from 'zod'
import { limits } from '../limits.ts'
import { requiredText, text } from './text.ts'

const line = (label: string) => text(label, limits.addressLine).default('')

/** Where a parcel goes. SPEC §5: name and country are required. */
export const shippingAddress = z.object({
  name: requiredText('Name', limits.addressLine),
  address: line('Address'),
  address2: line('Address line 2'),
  city: line('City'),
  state: line('State'),
  postalCode: line('Postal code'),
  country: requiredText('Country', limits.addressLine),
})

/** What an address of the book is called. */
export const addressLabel = text('What it is called', limits.addressLabel)

/** An address in a form that can put it into the book. */
export const labelledAddress = shippingAddress.extend({ label: addressLabel.default('') })
