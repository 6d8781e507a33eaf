import { useSuspenseQuery } from '@apollo/client/react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router-dom'
import { addressLines } from '#schema/rules/address-lines'
import { type PickupPlace, pickupLines } from '#schema/rules/delivery'
import { limits } from '#schema/rules/limits'
import { useUnsavedWork } from '../account/interruption.ts'
import { useSession } from '../account/session.ts'
import { ShopDocument } from '../app/Shop.gql.ts'
import { BLANK_ADDRESS, cart, type CartAddress } from '../cart/cart.ts'
import { useShape } from '../data/use-shape.ts'
import { AddressBlock } from '../order/OrderSections.tsx'
import { paths } from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { Stack } from '../ui/Stack.tsx'
import { TextField } from '../ui/TextField.tsx'

/** Who comes for an order, and how the shop can call them. */
const collector = async () =>
  (await import('#schema/rules/shapes/address')).shippingAddress.pick({ name: true, phone: true })

/** Where the order can be picked up, and who comes for it. `known` is what the cart has of them. */
export default function PickupForm({ place, known }: { place: PickupPlace; known: CartAddress }) {
  const navigate = useNavigate()
  const session = useSession()
  const { country } = useSuspenseQuery(ShopDocument).data.shop.delivery
  const form = useForm({
    defaultValues: { name: known.name || (session?.name ?? ''), phone: known.phone },
    resolver: useShape(collector),
  })
  const { errors, isDirty, isSubmitting } = form.formState
  useUnsavedWork(isDirty)
  const there = { ...BLANK_ADDRESS, ...pickupLines(country, place) }

  async function submit(values: { name: string; phone: string }) {
    cart.saveShippingAddress({ ...there, ...values })
    cart.savePaymentMethod('PayPal')
    await navigate(paths.placeOrder())
  }

  return (
    <Stack as="form" noValidate autoComplete="on" onSubmit={form.handleSubmit(submit)}>
      <AddressBlock lines={addressLines(there)} />
      {place.hours && <p>Open {place.hours}</p>}
      <p>We write to you as soon as it is ready.</p>
      <TextField
        {...form.register('name')}
        label="Who picks it up"
        required
        autoComplete="name"
        maxLength={limits.addressLine}
        error={errors.name?.message}
      />
      <TextField
        {...form.register('phone')}
        label="Phone"
        optional
        type="tel"
        hint="We call only about this order."
        autoComplete="tel"
        maxLength={limits.phone}
        error={errors.phone?.message}
      />
      <Button type="submit" wide loading={isSubmitting}>
        Continue
      </Button>
    </Stack>
  )
}
