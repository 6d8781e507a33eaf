import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { addressLines } from '#schema/rules/address-lines'
import { email as emailShape } from '#schema/rules/shapes/text'
import { Notice } from '../../ui/Notice.tsx'
import { TextButton } from '../../ui/TextButton.tsx'
import type { ShippingAddressFragment } from '../../address/ShippingAddress.gql.ts'
import { LastAddressOfDocument } from './NewOrder.gql.ts'

interface LastAddressProps {
  /** As far as it is typed. */
  email: string
  onUse: (address: ShippingAddressFragment) => void
}

/** Offers the address that a customer's last order went to. */
export function LastAddress({ email, onUse }: LastAddressProps) {
  const known = emailShape.safeParse(email).data?.toLowerCase() ?? ''
  /** The order whose address is in the form. */
  const [used, setUsed] = useState<string | null>(null)
  const { data } = useQuery(LastAddressOfDocument, { variables: { email: known }, skip: known === '' })
  const last = data?.orders.items.find(
    ({ user, shippingAddress }) => user.email.toLowerCase() === known && !shippingAddress.isPickup,
  )
  if (!last || last.id === used) return null
  return (
    <Notice
      action={
        <TextButton
          onClick={() => {
            setUsed(last.id)
            onUse(last.shippingAddress)
          }}
        >
          Use it
        </TextButton>
      }
    >
      Order {last.reference} went to {addressLines(last.shippingAddress).join(', ')}.
    </Notice>
  )
}
