import { useState } from 'react'
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router-dom'
import { styled } from 'styled-components'
import { limits } from '#schema/rules/limits'
import { shippingAddress } from '#schema/rules/shapes/address'
import { AccountFrame } from '../account/AccountFrame.tsx'
import { cart, type CartAddress, currentCart } from '../cart/cart.ts'
import { Head } from '../app/Head.tsx'
import { paths } from '../paths.ts'
import { from, space } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { Stack } from '../ui/Stack.tsx'
import { TextField } from '../ui/TextField.tsx'
import { CheckoutSteps } from './CheckoutSteps.tsx'
import { NothingToOrder } from './NothingToOrder.tsx'

export default function ShippingPage() {
  // Looked at once: an address half typed is not taken away when another tab empties the cart.
  const [empty] = useState(() => currentCart().cartItems.length === 0)
  return empty ? <NothingToOrder /> : <ShippingForm />
}

/** Where the parcel goes; remembered in the cart. SPEC §5: name and country are required. */
function ShippingForm() {
  const navigate = useNavigate()
  const form = useForm({ defaultValues: currentCart().shippingAddress, resolver: zodResolver(shippingAddress) })
  const { errors } = form.formState
  const maxLength = limits.addressLine

  function submit(address: CartAddress) {
    cart.saveShippingAddress(address)
    cart.savePaymentMethod('PayPal')
    void navigate(paths.placeOrder())
  }

  return (
    <AccountFrame title="Shipping" lead="Where shall we send your parcel?" steps={<CheckoutSteps current="shipping" />}>
      <Head title="Shipping" />
      <Stack as="form" noValidate autoComplete="on" onSubmit={form.handleSubmit(submit)}>
        <TextField
          {...form.register('name')}
          label="Name"
          autoComplete="shipping name"
          maxLength={maxLength}
          error={errors.name?.message}
        />
        <TextField
          {...form.register('address')}
          label="Address"
          autoComplete="shipping address-line1"
          maxLength={maxLength}
        />
        <TextField
          {...form.register('address2')}
          label="Address line 2"
          optional
          autoComplete="shipping address-line2"
          maxLength={maxLength}
        />
        <TextField
          {...form.register('city')}
          label="City"
          autoComplete="shipping address-level2"
          maxLength={maxLength}
        />
        <Pair>
          <TextField
            {...form.register('state')}
            label="State"
            autoComplete="shipping address-level1"
            maxLength={maxLength}
          />
          <TextField
            {...form.register('postalCode')}
            label="Postal code"
            autoComplete="shipping postal-code"
            maxLength={maxLength}
          />
        </Pair>
        <TextField
          {...form.register('country')}
          label="Country"
          autoComplete="shipping country-name"
          maxLength={maxLength}
          error={errors.country?.message}
        />
        <Button type="submit" wide>
          Continue
        </Button>
      </Stack>
    </AccountFrame>
  )
}

const Pair = styled.div`
  display: grid;
  gap: ${space[4]};
  ${from.tablet} {
    grid-template-columns: 1fr 1fr;
  }
`
