import type { ApolloClient } from '@apollo/client'
import { useApolloClient } from '@apollo/client/react'
import { useEffect, useRef, useState } from 'react'
import { normalGiftCardCode } from '#schema/rules/gift-card'
import { limits } from '#schema/rules/limits'
import { formatCents } from '#schema/rules/money'
import { AppliedCode, CodeBox, CodeForm, type RefusedCode } from '../cart/CodeForm.tsx'
import { currentCart } from '../cart/cart.ts'
import { TextButton } from '../ui/TextButton.tsx'
import {
  currentGiftCards,
  forgetGiftCards,
  keepGiftCards,
  type KeptGiftCard,
  payWith,
  useGiftCards,
} from './gift-cards.ts'
import { QuoteGiftCardsDocument } from './QuoteGiftCards.gql.ts'

/** What is on the cards of these codes; or why one of them cannot be used. */
async function askFor(
  client: ApolloClient,
  giftCards: string[],
): Promise<{ cards: KeptGiftCard[]; refusal: string | null }> {
  const lines = currentCart()
    .cartItems.slice(0, limits.linesPerOrder)
    .map(({ id, quantity }) => ({ productId: id, quantity }))
  const { data } = await client.query({
    query: QuoteGiftCardsDocument,
    variables: { lines, giftCards },
    fetchPolicy: 'no-cache',
  })
  const refusal = data?.quoteCart.userErrors.find(({ field }) => field?.[0] === 'giftCards')?.message ?? null
  return { cards: (data?.quoteCart.giftCards ?? []).map(({ code, balance }) => ({ code, balance })), refusal }
}

interface GiftCardFieldProps {
  /** What they pay of. */
  total: number
  /** Why the order was refused because of its cards. Give each its own key, for it is read only once. */
  refused?: RefusedCode | null
}

/** Asks for gift cards, and shows those that pay and how much is left on each. */
export function GiftCardField({ total, refused = null }: GiftCardFieldProps) {
  const client = useApolloClient()
  const cards = useGiftCards()
  const [wrong, setWrong] = useState(refused)
  const [news, setNews] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const { parts, amountDue } = payWith(cards, total)

  // What was on a card before may have been spent by now.
  useEffect(() => {
    let gone = false
    async function check(kept: readonly KeptGiftCard[]) {
      const { cards: now, refusal } = await askFor(
        client,
        kept.map(({ code }) => code),
      )
      if (gone || currentGiftCards() !== kept) return
      if (refusal === null) return keepGiftCards(now)
      setWrong({ code: '', message: refusal })
      forgetGiftCards()
    }
    const kept = currentGiftCards()
    if (kept.length > 0) check(kept).catch((error: unknown) => console.error('gift cards', error))
    return () => void (gone = true)
  }, [client])

  useEffect(() => {
    if (refused) input.current?.focus()
  }, [refused])

  async function apply(typed: string) {
    setNews('')
    const kept = currentGiftCards()
    const code = normalGiftCardCode(typed)
    if (kept.some(each => normalGiftCardCode(each.code) === code)) return 'This gift card pays already.'
    const { cards: found, refusal } = await askFor(client, [code])
    const [card] = found
    if (card) {
      keepGiftCards([...kept, card])
      setWrong(null)
    }
    return refusal
  }

  function remove({ code }: KeptGiftCard) {
    keepGiftCards(currentGiftCards().filter(each => each.code !== code))
    setNews('Gift card removed.')
    // The button that was pressed is gone, and the focus with it.
    requestAnimationFrame(() => input.current?.focus())
  }

  return (
    <CodeBox>
      {parts.map(card => (
        <AppliedCode key={card.code}>
          <span>
            <strong>{card.code}</strong>
            <br />
            {`pays ${formatCents(card.amount)}, ${card.balance > card.amount ? `${formatCents(card.balance - card.amount)} stays on it` : 'all that is on it'}`}
          </span>
          <TextButton type="button" onClick={() => remove(card)} aria-label={`Remove gift card ${card.code}`}>
            Remove
          </TextButton>
        </AppliedCode>
      ))}
      {amountDue > 0 && cards.length < limits.giftCards && (
        <CodeForm
          key={wrong?.message}
          label={cards.length > 0 ? 'Another gift card' : 'Gift card'}
          name="giftCard"
          action="Use card"
          refused={wrong}
          onApply={apply}
          input={input}
        />
      )}
      <p role="status">{news}</p>
    </CodeBox>
  )
}
