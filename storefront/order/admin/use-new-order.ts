import { useQuery, useSuspenseQuery } from '@apollo/client/react'
import { zodResolver } from '@hookform/resolvers/zod'
import { type FormEvent, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router-dom'
import type { z } from 'zod'
import { pickupLines } from '#schema/rules/delivery'
import { type Destination, isDownloadsAlone } from '#schema/rules/pricing'
import { labelledAddress } from '#schema/rules/shapes/address'
import { typedGiftCards } from '#schema/rules/shapes/gift-card'
import { typedOrderFor } from '#schema/rules/shapes/order'
import type { AddressValues } from '../../address/AddressFields.tsx'
import { addressValues, typedAddress } from '../../address/shipping-address.ts'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { useThrottled } from '../../admin/use-throttled.ts'
import { ShopDocument } from '../../app/Shop.gql.ts'
import { BLANK_ADDRESS } from '../../cart/cart.ts'
import type { UserError } from '../../data/errors.ts'
import { showRefusals } from '../../data/forms.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { paths } from '../../paths.ts'
import { notify } from '../../ui/toast.ts'
import {
  type OrderableFragment,
  PlaceOrderForDocument,
  QuoteNewOrderDocument,
  type QuoteNewOrderQueryVariables,
} from './NewOrder.gql.ts'

export interface NewLine {
  product: OrderableFragment
  quantity: number
}

/** What prices depend on beside the lines. */
type Terms = Omit<QuoteNewOrderQueryVariables, 'lines'>

const PAUSE_MS = 400

/** An order that is being taken down: what is typed, what it comes to, and placing it. */
export function useNewOrder(customerEmail: string) {
  const { country, pickup } = useSuspenseQuery(ShopDocument).data.shop.delivery
  const details = useForm({
    defaultValues: { customerEmail, code: '', giftCards: '', customerNote: '', holdDays: '3' },
    resolver: zodResolver(typedOrderFor),
  })
  const address = useForm({
    defaultValues: addressValues({ ...BLANK_ADDRESS, country }),
    resolver: zodResolver(labelledAddress),
    // The first of what is wrong may be above it.
    shouldFocusError: false,
  })
  const [wantsPickup, setWantsPickup] = useState(false)
  const [lines, setLines] = useState<readonly NewLine[]>([])
  const isDownload = isDownloadsAlone(lines.map(({ product }) => product))
  const isPickup = wantsPickup && !isDownload
  const [missing, setMissing] = useState<string | null>(null)
  const [terms, setTerms] = useState<Terms>({ customerEmail })
  const quote = useQuote(lines, terms)
  const [placeOrderFor, { loading }] = useShopMutation(PlaceOrderForDocument)
  const [isPlaced, setIsPlaced] = useState(false)
  const [idempotencyKey, setKey] = useState(() => crypto.randomUUID())
  const navigate = useNavigate()
  const invalidate = useInvalidate()

  const priceSoon = useThrottled(() => {
    const typed = typedAddress(addressValues({ ...BLANK_ADDRESS, ...address.getValues() }))
    const to: Destination = {
      country: typed.country || country,
      state: typed.state,
      postalCode: typed.postalCode,
      isPickup,
    }
    const { customerEmail, code, giftCards } = details.getValues()
    setTerms({ customerEmail, code: code || null, giftCards: typedGiftCards.safeParse(giftCards).data ?? null, to })
  }, PAUSE_MS)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setMissing(lines.length === 0 ? 'Please add a product.' : null)
    let said: z.output<typeof typedOrderFor> | undefined
    let there: AddressValues | undefined
    await details.handleSubmit(right => (said = right))()
    await address.handleSubmit(
      right => (there = right),
      wrong => said && address.setFocus(Object.keys(wrong)[0] as keyof AddressValues),
    )()
    if (said && there && lines.length > 0) await place(said, there)
  }

  async function place({ code, ...said }: z.output<typeof typedOrderFor>, values: AddressValues) {
    const there = isPickup && pickup ? pickupLines(country, pickup) : null
    const input = {
      ...said,
      code: code || null,
      lines: quote.agreedLines,
      shippingAddress: { ...typedAddress(values), ...there },
      expectedTotal: quote.data?.totalPrice ?? null,
      idempotencyKey,
    }
    const payload = await placeOrderFor({ input }, { onRefused: ({ userErrors }) => refused(userErrors) })
    if (!payload?.order) return
    setIsPlaced(true)
    invalidate('auditLog', 'orderStats', 'orderCounts')
    notify.success(`Order ${payload.order.reference} is placed, and ${said.customerEmail} is written to.`)
    await navigate(paths.order(payload.order.id))
  }

  function refused(userErrors: readonly UserError[]) {
    // What is short shows beside its line then.
    void quote.refetch()
    if (userErrors.some(({ code }) => code === 'IDEMPOTENCY_MISMATCH')) setKey(crypto.randomUUID())
    const isOfAddress = ({ field }: UserError) => field?.[0] === 'shippingAddress'
    showRefusals(address, userErrors.filter(isOfAddress))
    showRefusals(
      details,
      userErrors.filter(refusal => !isOfAddress(refusal)),
    )
  }

  return {
    details,
    /** Whose it is, as it was typed a moment ago. */
    customerEmail: terms.customerEmail ?? '',
    address,
    pickup,
    isPickup,
    /** Whether there is nothing to send. */
    isDownload,
    setPickup(is: boolean) {
      setWantsPickup(is)
      // Nobody sees the country then, so it must not be what is wrong.
      if (!address.getValues('country')) address.setValue('country', country)
    },
    lines,
    setLines(next: readonly NewLine[]) {
      setLines(next)
      setMissing(null)
    },
    missing,
    quote,
    priceSoon,
    submit,
    placing: loading || isPlaced,
    isUnsaved: !isPlaced && !loading && (details.formState.isDirty || address.formState.isDirty || lines.length > 0),
  }
}

export type NewOrder = ReturnType<typeof useNewOrder>

/** What the lines come to, by the shop's own figures. */
function useQuote(lines: readonly NewLine[], terms: Terms) {
  const asked = lines.map(({ product: { id }, quantity }) => ({ productId: id, quantity }))
  const { data, previousData, error, loading, refetch } = useQuery(QuoteNewOrderDocument, {
    variables: { lines: asked, ...terms },
    skip: lines.length === 0,
    fetchPolicy: 'cache-and-network',
  })
  return {
    data: lines.length > 0 ? (data ?? previousData)?.quoteOrderFor : undefined,
    error,
    loading,
    refetch,
    /** From the dye lots that are in view, where there is something to agree to. */
    agreedLines: asked.map(line => {
      const quoted = data?.quoteOrderFor.lines.find(({ productId }) => productId === line.productId)
      if (!quoted?.mustAgreeToLots || quoted.quantity !== line.quantity) return line
      return { ...line, lots: quoted.lots.map(({ code, quantity }) => ({ code, quantity })) }
    }),
  }
}
