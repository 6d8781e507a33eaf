/** Scopes that others contain. */
const CONTAINED: Readonly<Record<string, readonly string[]>> = {
  WRITE_ORDERS: ['FULFIL_ORDERS'],
  WRITE_PRODUCTS: ['WRITE_PRICES'],
  WRITE_CUSTOMERS: ['READ_CUSTOMERS'],
}

/** Whether who has these scopes may do what needs another: the scope itself, one that contains it, or ADMIN. */
export const suffices = (granted: readonly string[], needed: string): boolean =>
  granted.some(scope => scope === needed || scope === 'ADMIN' || CONTAINED[scope]?.includes(needed))
