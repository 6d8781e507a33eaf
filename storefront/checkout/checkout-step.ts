import { paths, safeRedirect } from '../paths.ts'

export type CheckoutStep = 'sign-in' | 'shipping' | 'review' | 'pay'

/** Which step of the checkout an address is; null for all others. */
export function checkoutStepAt({ pathname, search }: { pathname: string; search: string }): CheckoutStep | null {
  if (pathname === paths.shipping()) return 'shipping'
  if (pathname === paths.placeOrder()) return 'review'
  if (pathname !== paths.login() && pathname !== paths.register()) return null
  const next = safeRedirect(new URLSearchParams(search).get('redirect'))
  return next === paths.shipping() || next === paths.placeOrder() ? 'sign-in' : null
}
