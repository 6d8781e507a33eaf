import { useQuery } from '@apollo/client/react'
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useEffectEvent, useState } from 'react'
import { type FieldErrors, useForm } from 'react-hook-form'
import { useNavigate } from 'react-router-dom'
import { styled } from 'styled-components'
import { COUNTRIES, countryNamed } from '#schema/rules/countries'
import { limits } from '#schema/rules/limits'
import { shippingAddress } from '#schema/rules/shapes/address'
import { useUnsavedWork } from '../account/interruption.ts'
import { useSession } from '../account/session.ts'
import { BLANK_ADDRESS, cart, type CartAddress, currentCart } from '../cart/cart.ts'
import { Head } from '../app/Head.tsx'
import { paths } from '../paths.ts'
import { color, from, measure, space } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { Container } from '../ui/Container.tsx'
import { ErrorList } from '../ui/ErrorList.tsx'
import { Select } from '../ui/Select.tsx'
import { Stack } from '../ui/Stack.tsx'
import { TextField } from '../ui/TextField.tsx'
import { CheckoutSummary } from './CheckoutSummary.tsx'
import { earlierAddresses } from './earlier-addresses.ts'
import { NothingToOrder } from './NothingToOrder.tsx'
import { addressLines } from './shipping-address.ts'
import { EarlierAddressesDocument } from './ShippingPage.gql.ts'

const LABELS = { name: 'Name', country: 'Country' } as Partial<Record<keyof CartAddress, string>>
const COUNTRY_LIST = 'countries'

export default function ShippingPage() {
  // Looked at once: an address half typed is not taken away when another tab empties the cart.
  const [empty] = useState(() => currentCart().cartItems.length === 0)
  return empty ? <NothingToOrder /> : <ShippingForm />
}

/** Where the parcel goes; remembered in the cart. SPEC §5: name and country are required. */
function ShippingForm() {
  const navigate = useNavigate()
  const session = useSession()
  const [kept] = useState(() => currentCart().shippingAddress)
  const isFirstTime = addressLines(kept).length === 0
  const form = useForm({
    defaultValues: isFirstTime ? { ...BLANK_ADDRESS, name: session?.name ?? '' } : kept,
    resolver: zodResolver(shippingAddress),
    shouldFocusError: false,
  })
  const { errors, isDirty } = form.formState
  useUnsavedWork(isDirty)
  const [wrong, setWrong] = useState<{ names: (keyof CartAddress)[]; attempt: number }>({ names: [], attempt: 0 })
  const { data } = useQuery(EarlierAddressesDocument, { skip: session === null })
  const earlier = earlierAddresses(data?.viewer?.orders.edges.map(({ node }) => node) ?? [])
  const [last] = earlier
  const lastKey = last && addressLines(last).join()
  const maxLength = limits.addressLine

  const prefill = useEffectEvent(() => {
    // Nothing that somebody has begun to type is replaced.
    if (last && isFirstTime && !isDirty) form.reset(last)
  })
  useEffect(() => {
    if (lastKey !== undefined) prefill()
  }, [lastKey])

  function submit(address: CartAddress) {
    cart.saveShippingAddress({ ...address, country: countryNamed(address.country) })
    cart.savePaymentMethod('PayPal')
    void navigate(paths.placeOrder())
  }
  function refuse(found: FieldErrors<CartAddress>) {
    const names = Object.keys(found) as (keyof CartAddress)[]
    // One is gone to at once; of several there is a list.
    const [first] = names
    if (first && names.length === 1) form.setFocus(first)
    setWrong(({ attempt }) => ({ names: names.length > 1 ? names : [], attempt: attempt + 1 }))
  }

  return (
    <Container>
      <Head title="Shipping" />
      <Columns>
        <CheckoutSummary />
        <Form>
          <h1>Shipping</h1>
          <p>Where shall we send your parcel? We need a name and a country; the rest helps it to find you.</p>
          <ErrorList
            fields={wrong.names.map(name => ({ name, label: LABELS[name] ?? name }))}
            attempt={wrong.attempt}
            onGo={name => form.setFocus(name as keyof CartAddress)}
          />
          <Stack as="form" noValidate autoComplete="on" onSubmit={form.handleSubmit(submit, refuse)}>
            {earlier.length > 1 && (
              <Select
                label="Sent before to"
                defaultValue=""
                onChange={event => form.reset(earlier[Number(event.target.value)] ?? kept)}
              >
                <option value="" disabled>
                  Choose one of {earlier.length}
                </option>
                {earlier.map((address, index) => (
                  <option key={index} value={index}>
                    {addressLines(address).join(', ')}
                  </option>
                ))}
              </Select>
            )}
            <TextField
              {...form.register('name')}
              label="Name"
              required
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
              {...form.register('country', {
                onBlur: event => form.setValue('country', countryNamed((event.target as HTMLInputElement).value)),
              })}
              label="Country"
              required
              list={COUNTRY_LIST}
              autoComplete="shipping country-name"
              maxLength={maxLength}
              error={errors.country?.message}
            />
            <datalist id={COUNTRY_LIST}>
              {COUNTRIES.map(name => (
                <option key={name}>{name}</option>
              ))}
            </datalist>
            <Button type="submit" wide>
              Continue
            </Button>
          </Stack>
        </Form>
      </Columns>
    </Container>
  )
}

const Columns = styled.div`
  display: grid;
  gap: ${space[5]};
  ${from.desktop} {
    grid-template-columns: minmax(0, 1fr) 24rem;
    gap: ${space[8]};
    align-items: start;
    details {
      grid-area: 1 / 2;
      position: sticky;
      top: ${space[5]};
    }
  }
`
const Form = styled.div`
  display: grid;
  gap: ${space[4]};
  max-width: ${measure.text};
  > p {
    color: ${color.textQuiet};
  }
  ${from.desktop} {
    grid-area: 1 / 1;
  }
`
const Pair = styled.div`
  display: grid;
  gap: ${space[4]};
  ${from.tablet} {
    grid-template-columns: 1fr 1fr;
  }
`
