import type { ReactNode } from 'react'
import { styled } from 'styled-components'
import { shippingRows } from '../cart/shipping-rows.tsx'
import { color, from, size, space } from '../theme/tokens.ts'
import { Money } from '../ui/Money.tsx'
import type { TaxLine } from '#schema/rules/tax-lines'
import { PriceSummary } from '../ui/PriceSummary.tsx'

interface OrderSectionsProps {
  children: ReactNode
  summary: ReactNode
  /** On phones the summary is above the rest: there is something to pay. */
  summaryFirst?: boolean
}

/** The frame an order has before and after it is placed: what and where to on the left, what it costs on the right. */
export function OrderSections({ children, summary, summaryFirst = false }: OrderSectionsProps) {
  const main = <Main key="main">{children}</Main>
  const aside = (
    <Summary key="summary" aria-labelledby="summary">
      <h2 id="summary">Order summary</h2>
      {summary}
    </Summary>
  )
  return <Columns>{summaryFirst ? [aside, main] : [main, aside]}</Columns>
}

interface Prices {
  itemsPrice: number
  discountCode?: string | null
  discount: number
  shippingPrice: number
  taxPrice: number
  includedTax: number
  taxes?: readonly Pick<TaxLine, 'basisPoints' | 'amount'>[]
  taxIsOpen?: boolean
  isPickup: boolean
  /** Whether there is nothing to send. */
  isDownload?: boolean
  totalPrice: number
  /** What of the total gift cards pay. */
  giftCardAmount?: number
  /** What is left to pay; of a paid order, what nobody paid. */
  amountDue?: number
  isPaid?: boolean
  paymentMethod?: string
  refundedAmount?: number
}

export function OrderPrices({
  itemsPrice,
  discountCode,
  discount,
  shippingPrice,
  isPickup,
  isDownload,
  totalPrice,
  giftCardAmount = 0,
  amountDue = 0,
  isPaid,
  paymentMethod,
  refundedAmount = 0,
  ...tax
}: Prices) {
  const unpaid = isPaid ? amountDue : 0
  const otherwise = totalPrice - giftCardAmount - unpaid
  return (
    <PriceSummary
      rows={[
        sum('Items', itemsPrice),
        ...(discountCode
          ? [{ label: `Code ${discountCode}`, value: discount > 0 ? <Money cents={-discount} /> : 'Free shipping' }]
          : []),
        ...shippingRows({ shippingPrice, isPickup, isDownload }),
      ]}
      tax={tax}
      total={sum('Total', totalPrice)}
      after={[
        ...(giftCardAmount > 0 ? [sum('Gift card', -giftCardAmount)] : []),
        ...(unpaid > 0 ? [sum('Not paid', -unpaid)] : []),
        ...(otherwise < totalPrice && (otherwise > 0 || !isPaid)
          ? [sum(isPaid ? `Paid with ${paymentMethod}` : 'To pay', otherwise)]
          : []),
        ...(refundedAmount > 0
          ? [sum('Refunds', -refundedAmount), sum('After refunds', totalPrice - unpaid - refundedAmount)]
          : []),
      ]}
    />
  )
}

const sum = (label: string, cents: number) => ({ label, value: <Money cents={cents} /> })

export function AddressBlock({ lines, children }: { lines: readonly string[]; children?: ReactNode }) {
  return (
    <Address>
      {lines.map((line, index) => (
        <span key={index}>{line}</span>
      ))}
      {children}
    </Address>
  )
}

const Columns = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[6]};
  ${from.desktop} {
    grid-template-columns: minmax(0, 1fr) 24rem;
    gap: ${space[8]};
    align-items: start;
  }
`

const Main = styled.div`
  display: grid;
  min-width: 0;
  gap: ${space[6]};
  grid-column: 1;
  > section {
    display: grid;
    gap: ${space[3]};
  }
  h2 {
    font-size: ${size.xl};
  }
`

const Summary = styled.section`
  display: grid;
  gap: ${space[4]};
  padding: ${space[5]};
  background: ${color.band};
  h2 {
    font-size: ${size.xl};
  }
  ${from.desktop} {
    grid-area: 1 / 2;
    position: sticky;
    top: ${space[5]};
  }
`

const Address = styled.address`
  overflow-wrap: anywhere;
  display: grid;
  font-style: normal;
`
