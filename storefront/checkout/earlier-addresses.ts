import type { CartAddress } from '../cart/cart.ts'
import { addressLines } from './shipping-address.ts'

/** So many are offered at most. */
const OFFERED = 5

/** The addresses of earlier orders, the newest first, each once. */
export function earlierAddresses(orders: readonly { shippingAddress: CartAddress }[]): CartAddress[] {
  const different = new Map<string, CartAddress>()
  for (const { shippingAddress } of orders) {
    const { name, address, address2, city, state, postalCode, country } = shippingAddress
    const place = { name, address, address2, city, state, postalCode, country }
    const key = addressLines(place).join('\n').toLowerCase()
    if (!different.has(key)) different.set(key, place)
  }
  return [...different.values()].slice(0, OFFERED)
}
