import type { ApolloClient } from '@apollo/client'
import { useApolloClient } from '@apollo/client/react'
import { useEffect, useRef, useState } from 'react'
import { limits } from '#schema/rules/limits'
import { formatCents } from '#schema/rules/money'
import { Notice } from '../ui/Notice.tsx'
import { TextButton } from '../ui/TextButton.tsx'
import { currentCart, linesOf, useCart, useCartPrices } from './cart.ts'
import { currentCode, forgetCode, keepCode, useCartCode } from './cart-code.ts'
import { codeTrouble, codeWords } from './code-words.ts'
import { AppliedCode, CodeBox, CodeForm, type RefusedCode } from './CodeForm.tsx'
import { QuoteCodeDocument } from './QuoteCode.gql.ts'

/** Keeps the code if the shop accepts it for the current cart and it is still wanted. Otherwise returns why it was refused. */
async function askFor(client: ApolloClient, code: string, isWanted = () => true): Promise<string | null> {
  const lines = currentCart()
    .cartItems.slice(0, limits.linesPerOrder)
    .map(({ id, quantity }) => ({ productId: id, quantity }))
  const { data } = await client.query({
    query: QuoteCodeDocument,
    variables: { lines, code },
    fetchPolicy: 'no-cache',
  })
  if (!isWanted()) return null
  if (data?.quoteCart.code) keepCode(data.quoteCart.code)
  return data?.quoteCart.userErrors[0]?.message ?? null
}

/**
 * Asks for a discount code, and shows the one in use. `refused` is one that was refused when the order was placed: give
 * each its own key, for it is read only once.
 */
export function CodeField({ refused = null }: { refused?: RefusedCode | null }) {
  const client = useApolloClient()
  const code = useCartCode()
  const { cartItems } = useCart()
  const { saved } = useCartPrices()
  const [wrong, setWrong] = useState(refused)
  const [news, setNews] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const trouble = code && codeTrouble(code, linesOf(cartItems))

  // A code that was accepted before may be used up or expired by now.
  useEffect(() => {
    let gone = false
    async function check(kept: string) {
      // The code may have been removed meanwhile, here or on another device.
      const refusal = await askFor(client, kept, () => currentCode()?.code === kept)
      if (gone || !refusal) return
      setWrong({ code: kept, message: refusal })
      forgetCode()
    }
    const kept = currentCode()
    if (kept && !codeTrouble(kept, linesOf(currentCart().cartItems)))
      check(kept.code).catch((error: unknown) => console.error('code', error))
    return () => void (gone = true)
  }, [client])

  useEffect(() => {
    if (refused) input.current?.focus()
  }, [refused])

  function apply(typed: string) {
    setNews('')
    return askFor(client, typed)
  }

  function remove() {
    setWrong(null)
    forgetCode()
    setNews('Code removed.')
    // The button that was pressed is gone, and the focus with it.
    requestAnimationFrame(() => input.current?.focus())
  }

  return (
    <CodeBox>
      {code ? (
        <>
          <AppliedCode>
            <strong>{code.code}</strong>{' '}
            <TextButton type="button" onClick={remove} aria-label={`Remove code ${code.code}`}>
              Remove
            </TextButton>
          </AppliedCode>
          {trouble && <Notice variant="warning">{trouble}</Notice>}
        </>
      ) : (
        <CodeForm label="Discount code" name="code" action="Apply" refused={wrong} onApply={apply} input={input} />
      )}
      <p role="status">
        {!code && news}
        {code &&
          !trouble &&
          (saved > 0
            ? `${codeWords(code)}, you save ${formatCents(saved)}.`
            : `${codeWords(code)}: it saves nothing here, so it stays yours.`)}
      </p>
    </CodeBox>
  )
}
