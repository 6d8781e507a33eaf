import { formatCents } from '#schema/rules/money'
import { CopyBox } from '../ui/CopyBox.tsx'
import { Stack } from '../ui/Stack.tsx'
import type { BoughtGiftCardFragment } from './BoughtGiftCards.gql.ts'

/** The gift cards that a paid order was for, with their codes. */
export default function BoughtGiftCards({ cards }: { cards: readonly BoughtGiftCardFragment[] }) {
  return (
    <Stack as="section" $gap={3} aria-labelledby="gift-cards" data-print="hide">
      <h2 id="gift-cards">{cards.length === 1 ? 'Your gift card' : 'Your gift cards'}</h2>
      <p>Hand a code on, or use it yourself: it is typed where an order is reviewed, before it is placed.</p>
      {cards.map(({ code, amount, balance }) => (
        <CopyBox
          key={code}
          label={`Gift card over ${formatCents(amount)}${balance === amount ? '' : `, ${formatCents(balance)} left`}`}
          text={code}
        />
      ))}
    </Stack>
  )
}
