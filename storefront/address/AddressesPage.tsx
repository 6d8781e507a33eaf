import { useQuery } from '@apollo/client/react'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { styled } from 'styled-components'
import { addressLines } from '#schema/rules/address-lines'
import { limits } from '#schema/rules/limits'
import { useUnsavedWork } from '../account/interruption.ts'
import { useSignedIn } from '../account/session.ts'
import { Head } from '../app/Head.tsx'
import { BLANK_ADDRESS } from '../cart/cart.ts'
import { messageOf } from '../data/errors.ts'
import { showRefusals } from '../data/forms.ts'
import { useShape } from '../data/use-shape.ts'
import { type OnRefused, useShopMutation } from '../data/use-shop-mutation.ts'
import { paths } from '../paths.ts'
import { color, control, measure, size, space } from '../theme/tokens.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Cluster } from '../ui/Cluster.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { Container } from '../ui/Container.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Link } from '../ui/Link.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Stack } from '../ui/Stack.tsx'
import { notify } from '../ui/toast.ts'
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx'
import {
  AddAddressDocument,
  RemoveAddressDocument,
  type SavedAddressFragment,
  UpdateAddressDocument,
} from './Address.gql.ts'
import { AddressBookDocument } from './AddressesPage.gql.ts'
import { addressShape } from './address-shape.ts'
import { AddressFields, type AddressValues, LabelField } from './AddressFields.tsx'
import { addressTitle, addressValues, typedAddress } from './shipping-address.ts'

/** Where parcels may go: checkout offers these. */
export default function AddressesPage() {
  const { data: current, previousData, error, refetch } = useQuery(AddressBookDocument)
  const data = current ?? previousData
  return (
    <Container>
      <Head title="Your address book" />
      <Page>
        <p>
          <Link to={paths.profile()}>Profile</Link>
        </p>
        {data ? (
          <Book book={data.addresses} />
        ) : (
          <>
            <h1>Your address book</h1>
            {error ? (
              <ErrorState onRetry={() => void refetch()}>{messageOf(error)}</ErrorState>
            ) : (
              <Stack aria-busy="true">
                <Skeleton $height="6rem" />
                <Skeleton $height="6rem" />
              </Stack>
            )}
          </>
        )}
      </Page>
    </Container>
  )
}

/** What is being edited: a new address, or one from the address book. */
type Writing = 'new' | SavedAddressFragment | null

function Book({ book }: { book: readonly SavedAddressFragment[] }) {
  const [writing, setWriting] = useState<Writing>(null)
  const [asking, setAsking] = useState<SavedAddressFragment | null>(null)
  const [update] = useShopMutation(UpdateAddressDocument)
  const [remove, { loading: removing }] = useShopMutation(RemoveAddressDocument)
  const title = useRef<HTMLHeadingElement>(null)
  // The pressed button is gone: its form was closed, its entry removed, or it is the default now.
  const [changes, setChanges] = useState(0)
  useEffect(() => {
    if (changes > 0) title.current?.focus()
  }, [changes])
  const isFull = book.length >= limits.addresses

  function close() {
    setWriting(null)
    setChanges(before => before + 1)
  }
  async function makeDefault(entry: SavedAddressFragment) {
    const { label, ...shippingAddress } = addressValues(entry.shippingAddress, entry.label)
    const payload = await update({ id: entry.id, input: { label, shippingAddress, isDefault: true } })
    if (!payload) return
    notify.success(`Checkout begins with “${addressTitle(entry)}”.`)
    setChanges(before => before + 1)
  }
  async function confirmRemoval({ id }: SavedAddressFragment) {
    const payload = await remove({ id })
    setAsking(null)
    if (!payload) return
    notify.success('Address removed.')
    setChanges(before => before + 1)
  }

  if (writing)
    return <AddressForm entry={writing === 'new' ? null : writing} isFirst={book.length === 0} onDone={close} />
  return (
    <>
      <h1 ref={title} tabIndex={-1}>
        Your address book
      </h1>
      {book.length === 0 ? (
        <Notice>No addresses yet. Add one here, or save it at checkout.</Notice>
      ) : (
        <Entries>
          {book.map(entry => (
            <li key={entry.id}>
              <h2>
                {entry.label || entry.shippingAddress.name} {entry.isDefault && <Badge>Default</Badge>}
              </h2>
              <p>
                {addressLines(entry.shippingAddress).map((line, index) => (
                  <span key={index}>{line}</span>
                ))}
              </p>
              <Cluster>
                <Button variant="quiet" size="sm" onClick={() => setWriting(entry)}>
                  Change<VisuallyHidden> {addressTitle(entry)}</VisuallyHidden>
                </Button>
                {!entry.isDefault && (
                  <Button variant="quiet" size="sm" onClick={() => void makeDefault(entry)}>
                    Make default<VisuallyHidden> {addressTitle(entry)}</VisuallyHidden>
                  </Button>
                )}
                <Button variant="danger" size="sm" onClick={() => setAsking(entry)}>
                  Remove<VisuallyHidden> {addressTitle(entry)}</VisuallyHidden>
                </Button>
              </Cluster>
            </li>
          ))}
        </Entries>
      )}
      {isFull ? (
        <p>Your book holds {limits.addresses} addresses, as many as it can.</p>
      ) : (
        <Cluster>
          <Button onClick={() => setWriting('new')}>Add an address</Button>
        </Cluster>
      )}
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={open => !open && setAsking(null)}
        title="Remove this address?"
        message={asking && `“${addressTitle(asking)}” leaves your address book. Your orders stay as they are.`}
        confirmLabel="Remove address"
        cancelLabel="Keep address"
        loading={removing}
        onConfirm={() => asking && void confirmRemoval(asking)}
      />
    </>
  )
}

interface AddressFormProps {
  /** Null for a new one. */
  entry: SavedAddressFragment | null
  isFirst: boolean
  onDone: () => void
}

function AddressForm({ entry, isFirst, onDone }: AddressFormProps) {
  const { name } = useSignedIn()
  const form = useForm({
    defaultValues: entry
      ? addressValues(entry.shippingAddress, entry.label)
      : addressValues({ ...BLANK_ADDRESS, name: isFirst ? name : '' }),
    resolver: useShape(addressShape),
  })
  const { isDirty, isSubmitting } = form.formState
  useUnsavedWork(isDirty)
  const [add] = useShopMutation(AddAddressDocument)
  const [update] = useShopMutation(UpdateAddressDocument)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])

  async function submit(values: AddressValues) {
    const input = { label: values.label, shippingAddress: typedAddress(values) }
    const onRefused: OnRefused = ({ userErrors }) => showRefusals(form, userErrors)
    const payload = entry ? await update({ id: entry.id, input }, { onRefused }) : await add({ input }, { onRefused })
    if (!payload) return
    notify.success('Address saved.')
    onDone()
  }

  return (
    <>
      <h1 ref={title} tabIndex={-1}>
        {entry ? 'Change address' : 'New address'}
      </h1>
      <Stack as="form" noValidate autoComplete="on" onSubmit={form.handleSubmit(submit)}>
        <LabelField form={form} />
        <AddressFields form={form} />
        <Cluster>
          <Button type="submit" loading={isSubmitting}>
            Save address
          </Button>
          <Button variant="quiet" onClick={onDone}>
            Cancel
          </Button>
        </Cluster>
      </Stack>
    </>
  )
}

const Page = styled.div`
  display: grid;
  gap: ${space[5]};
  max-width: ${measure.text};
  > p a {
    display: inline-flex;
    align-items: center;
    min-height: ${control.md};
  }
`
const Entries = styled.ul`
  margin: 0;
  padding: 0;
  list-style: none;
  li {
    display: grid;
    gap: ${space[3]};
    padding-block: ${space[5]};
    border-top: 1px solid ${color.line};
  }
  h2 {
    font-size: ${size.lg};
    overflow-wrap: anywhere;
  }
  p span {
    display: block;
    overflow-wrap: anywhere;
  }
`
