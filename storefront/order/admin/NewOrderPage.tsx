import { useSearchParams } from 'react-router-dom'
import { limits } from '#schema/rules/limits'
import { ownerLimits } from '#schema/rules/owner-limits'
import { AddressFields } from '../../address/AddressFields.tsx'
import { addressValues } from '../../address/shipping-address.ts'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { LeaveGuard } from '../../admin/LeaveGuard.tsx'
import { messageOf } from '../../data/errors.ts'
import { problemOfList } from '../../data/forms.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Select } from '../../ui/Select.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Stack } from '../../ui/Stack.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { OrderPrices, OrderSections } from '../OrderSections.tsx'
import { LastAddress } from './LastAddress.tsx'
import { OrderLinesField } from './OrderLinesField.tsx'
import { type NewOrder, useNewOrder } from './use-new-order.ts'

const TRAIL = [{ label: 'Orders', to: paths.adminOrders() }]
const HOLD_DAYS = [1, 3, 7, 14, ownerLimits.holdDays]

/** Takes down the order of a customer who calls, writes or comes by. They pay it by the letter they get. */
export default function NewOrderPage() {
  const order = useNewOrder(useSearchParams()[0].get('email') ?? '')
  const { details, isPickup, isDownload, quote } = order
  return (
    <AdminPage title="New order" trail={TRAIL}>
      <LeaveGuard when={order.isUnsaved} />
      <form noValidate autoComplete="off" onSubmit={event => void order.submit(event)} onChange={order.priceSoon}>
        <OrderSections
          summary={
            <>
              <Prices quote={quote} isPickup={isPickup} isDownload={isDownload} />
              <Button
                type="submit"
                wide
                size="lg"
                loading={order.placing}
                disabledReason={order.lines.length > 0 && !quote.data ? 'It has no price yet.' : null}
              >
                Place order
              </Button>
            </>
          }
        >
          <section>
            <TextField
              {...details.register('customerEmail')}
              label="Customer’s email"
              required
              type="email"
              autoComplete="off"
              maxLength={limits.email}
              hint="They get a letter that leads to the order, and pay there."
              error={details.formState.errors.customerEmail?.message}
            />
          </section>
          <section>
            <OrderLinesField
              lines={order.lines}
              onChange={order.setLines}
              quoted={quote.data?.lines ?? []}
              error={order.missing}
            />
          </section>
          <section>
            <h2>{isDownload ? 'Address' : isPickup ? 'Pickup' : 'Shipping'}</h2>
            <Destination order={order} />
          </section>
          <section>
            <h2>More</h2>
            <More order={order} />
          </section>
        </OrderSections>
      </form>
    </AdminPage>
  )
}

function Prices({ quote, ...where }: Pick<NewOrder, 'quote' | 'isPickup' | 'isDownload'>) {
  const { data, error, loading, refetch } = quote
  if (data)
    return (
      <OrderPrices
        {...data}
        discountCode={data.code?.code ?? null}
        giftCardAmount={data.totalPrice - data.amountDue}
        {...where}
      />
    )
  if (loading) return <Skeleton $height="8rem" />
  if (error) return <ErrorState onRetry={() => void refetch()}>{messageOf(error)}</ErrorState>
  return <p>Add a product, and see here what the order comes to.</p>
}

/** Where it goes, or who comes for it. */
function Destination({ order }: { order: NewOrder }) {
  const { address, pickup, isPickup, isDownload, setPickup } = order
  const { errors } = address.formState
  return (
    <Stack>
      {pickup && !isDownload && (
        <Checkbox
          label={`They pick it up in ${pickup.city}`}
          checked={isPickup}
          onChange={event => setPickup(event.target.checked)}
        />
      )}
      {isPickup ? (
        <>
          <TextField
            {...address.register('name')}
            label="Name"
            required
            maxLength={limits.addressLine}
            error={errors.name?.message}
          />
          <TextField
            {...address.register('phone')}
            label="Phone"
            optional
            type="tel"
            maxLength={limits.phone}
            error={errors.phone?.message}
          />
        </>
      ) : (
        <>
          <LastAddress
            email={order.customerEmail}
            onUse={found => {
              // The button goes away. After a reset the form would not know its fields for a moment.
              address.setFocus('name')
              address.reset(addressValues(found), { keepDefaultValues: true })
              order.priceSoon()
            }}
          />
          <AddressFields form={address} isDownload={isDownload} />
        </>
      )}
    </Stack>
  )
}

function More({ order: { details, isDownload, quote } }: { order: NewOrder }) {
  const { errors } = details.formState
  const refusal = (ofCards: boolean) =>
    quote.data?.userErrors.find(({ field }) => (field?.[0] === 'giftCards') === ofCards)?.message
  return (
    <Stack>
      <Select
        {...details.register('holdDays')}
        label={isDownload ? 'To be paid within' : 'Set aside until it is paid'}
        hint={isDownload ? undefined : 'Then it goes back to the shelf, and can still be paid while it is there.'}
        error={errors.holdDays?.message}
      >
        {HOLD_DAYS.map(days => (
          <option key={days} value={days}>
            {days === 1 ? 'A day' : `${days} days`}
          </option>
        ))}
      </Select>
      <TextField
        {...details.register('code')}
        label="Discount code"
        optional
        autoComplete="off"
        maxLength={ownerLimits.code.typed}
        error={errors.code?.message ?? refusal(false)}
      />
      <TextField
        {...details.register('giftCards')}
        label="Gift card"
        optional
        hint="Its code, as the customer reads it out. Put commas between several."
        autoComplete="off"
        maxLength={limits.giftCards * (ownerLimits.code.typed + 2)}
        error={problemOfList(errors.giftCards) ?? refusal(true)}
      />
      <TextArea
        {...details.register('customerNote')}
        label="What the customer wants you to know"
        optional
        hint={isDownload ? undefined : 'It is on the packing slip.'}
        rows={3}
        maxLength={limits.customerNote}
        error={errors.customerNote?.message}
      />
    </Stack>
  )
}
