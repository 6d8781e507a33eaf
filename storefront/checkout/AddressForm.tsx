import { useQuery, useSuspenseQuery } from '@apollo/client/react'
import { useEffect, useEffectEvent, useState } from 'react'
import { type FieldErrors, useWatch } from 'react-hook-form'
import { useNavigate } from 'react-router-dom'
import { addressLines } from '#schema/rules/address-lines'
import { limits } from '#schema/rules/limits'
import { isSameAddress } from '#schema/rules/same-address'
import { useUnsavedWork } from '../account/interruption.ts'
import { useSession } from '../account/session.ts'
import { AddAddressDocument } from '../address/Address.gql.ts'
import { whyNoOrderGoesThere } from '../address/address-shape.ts'
import { AddressFields, type AddressFormControl, type AddressValues, LabelField } from '../address/AddressFields.tsx'
import { addressTitle, addressValues, typedAddress } from '../address/shipping-address.ts'
import { cart } from '../cart/cart.ts'
import { ShopDocument } from '../app/Shop.gql.ts'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { ErrorList } from '../ui/ErrorList.tsx'
import { Link } from '../ui/Link.tsx'
import { Select } from '../ui/Select.tsx'
import { Stack } from '../ui/Stack.tsx'
import { CheckoutAddressesDocument, type CheckoutAddressesQuery } from './ShippingPage.gql.ts'

const LABELS = { name: 'Name', country: 'Country', label: 'What to call it' } as Partial<
  Record<keyof AddressValues, string>
>

interface AddressFormProps {
  form: AddressFormControl
  /** An address of which nothing is known but who orders. */
  blank: AddressValues
  /** Whether nothing is sent there. */
  isDownload: boolean
}

/** Where the parcel goes: typed, or chosen from the address book. */
export function AddressForm({ form, blank, isDownload }: AddressFormProps) {
  const navigate = useNavigate()
  const session = useSession()
  const { shop } = useSuspenseQuery(ShopDocument).data
  const { isDirty, isSubmitting } = form.formState
  useUnsavedWork(isDirty)
  const [wrong, setWrong] = useState<{ names: (keyof AddressValues)[]; attempt: number }>({ names: [], attempt: 0 })
  const { data, loading } = useQuery(CheckoutAddressesDocument, { skip: session === null })
  const [waits, setWaits] = useState(loading)
  // Waits only for the first answer: the form stays visible during later fetches.
  if (waits && !loading) setWaits(false)
  const [save, setSave] = useState(false)
  const [addAddress] = useShopMutation(AddAddressDocument)
  const book = (session && data?.addresses) || []
  const typed = useWatch({ control: form.control })
  /** The address from the book that equals what is typed. */
  const chosen = book.find(({ shippingAddress }) => isSameAddress(shippingAddress, typed))
  const canSave = session !== null && data !== undefined && !chosen && book.length < limits.addresses

  const last = data?.viewer?.orders.edges[0]?.node.shippingAddress
  const first =
    book.find(({ isDefault }) => isDefault)?.shippingAddress ??
    (last?.isPickup ? null : last) ??
    book[0]?.shippingAddress
  const firstKey = first && addressLines(first).join()

  const prefill = useEffectEvent(() => {
    // Does not replace what somebody has typed or chosen.
    const isBlank = addressLines({ ...form.getValues(), name: '' } as AddressValues).length === 0
    if (first && isBlank && !isDirty) form.reset(addressValues(first))
  })
  useEffect(() => {
    if (firstKey !== undefined) prefill()
  }, [firstKey])

  function choose(id: string) {
    const entry = book.find(each => each.id === id)
    form.reset(entry ? addressValues(entry.shippingAddress) : blank)
  }
  async function submit(values: AddressValues) {
    const shippingAddress = typedAddress(values)
    const unreachable = await whyNoOrderGoesThere(shop, shippingAddress)
    if (unreachable) return form.setError(unreachable.line, unreachable, { shouldFocus: true })
    cart.saveShippingAddress(shippingAddress)
    cart.savePaymentMethod('PayPal')
    // When the address book refuses the address, a toast says so, and the order goes on.
    if (save && canSave) await addAddress({ input: { label: values.label, shippingAddress } })
    await navigate(paths.placeOrder())
  }
  function refuse(found: FieldErrors<AddressValues>) {
    const names = Object.keys(found) as (keyof AddressValues)[]
    // A single error gets the focus at once; several are listed.
    const [first] = names
    if (first && names.length === 1) form.setFocus(first)
    setWrong(({ attempt }) => ({ names: names.length > 1 ? names : [], attempt: attempt + 1 }))
  }

  return (
    <>
      <p>
        {isDownload
          ? 'Nothing is sent there. We need a name and a country for the invoice and the tax.'
          : 'Where shall we send your parcel? We need a name and a country; the rest helps it to find you.'}
      </p>
      <ErrorList
        fields={wrong.names.map(name => ({ name, label: LABELS[name] ?? name }))}
        attempt={wrong.attempt}
        onGo={name => form.setFocus(name as keyof AddressValues)}
      />
      <Stack
        as="form"
        noValidate
        autoComplete="on"
        aria-busy={waits || undefined}
        onSubmit={form.handleSubmit(submit, refuse)}
      >
        {book.length > 0 && <AddressChoice book={book} chosen={chosen?.id ?? ''} onChoose={choose} />}
        <AddressFields form={form} isDownload={isDownload} />
        {canSave && (
          <Checkbox
            label="Save this address in my address book"
            checked={save}
            onChange={event => setSave(event.target.checked)}
          />
        )}
        {canSave && save && <LabelField form={form} />}
        <Button type="submit" wide loading={isSubmitting}>
          Continue
        </Button>
      </Stack>
    </>
  )
}

interface AddressChoiceProps {
  book: CheckoutAddressesQuery['addresses']
  /** Empty for an address that is not in the address book. */
  chosen: string
  onChoose: (id: string) => void
}

function AddressChoice({ book, chosen, onChoose }: AddressChoiceProps) {
  return (
    <Select
      label="Your address book"
      hint={<Link to={paths.addresses()}>Change the book</Link>}
      value={chosen}
      onChange={event => onChoose(event.target.value)}
    >
      <option value="">Another address</option>
      {book.map(entry => (
        <option key={entry.id} value={entry.id}>
          {addressTitle(entry)}
        </option>
      ))}
    </Select>
  )
}
