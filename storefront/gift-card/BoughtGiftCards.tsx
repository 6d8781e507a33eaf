import { useState } from 'react'
import { formatCents } from '#schema/rules/money'
import { Button } from '../ui/Button.tsx'
import { Cluster } from '../ui/Cluster.tsx'
import { CopyBox } from '../ui/CopyBox.tsx'
import { Stack } from '../ui/Stack.tsx'
import type { BoughtGiftCardFragment } from './BoughtGiftCards.gql.ts'
import { SendGiftCard } from './SendGiftCard.tsx'

/** The gift cards that a paid order was for, with their codes. */
export default function BoughtGiftCards({ cards }: { cards: readonly BoughtGiftCardFragment[] }) {
  return (
    <Stack as="section" $gap={3} aria-labelledby="gift-cards" data-print="hide">
      <h2 id="gift-cards">{cards.length === 1 ? 'Your gift card' : 'Your gift cards'}</h2>
      <p>Hand a code on, or use it yourself: it is typed where an order is reviewed, before it is placed.</p>
      {cards.map(card => (
        <BoughtCard key={card.id} card={card} />
      ))}
    </Stack>
  )
}

function BoughtCard({ card }: { card: BoughtGiftCardFragment }) {
  const { code, amount, balance, sentTo, canBeSent } = card
  const [sending, setSending] = useState(false)
  return (
    <Stack $gap={2}>
      <CopyBox
        label={`Gift card over ${formatCents(amount)}${balance === amount ? '' : `, ${formatCents(balance)} left`}`}
        text={code}
      />
      <Cluster $gap={3}>
        {canBeSent && (
          <Button
            size="sm"
            variant="quiet"
            aria-label={`${sentTo === null ? 'Send by email' : 'Send again'}, the one that ends in ${code.slice(-4)}`}
            onClick={() => setSending(true)}
          >
            {sentTo === null ? 'Send by email' : 'Send again'}
          </Button>
        )}
        {sentTo !== null && <span>Sent to {sentTo}</span>}
      </Cluster>
      <SendGiftCard card={card} open={sending} onClose={() => setSending(false)} />
    </Stack>
  )
}
