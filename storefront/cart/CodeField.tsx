import type { ApolloClient } from '@apollo/client'
import { useApolloClient } from '@apollo/client/react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { styled } from 'styled-components'
import { limits } from '#schema/rules/limits'
import { formatCents } from '#schema/rules/money'
import { messageOf } from '../data/errors.ts'
import { color, size, space, weight } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { TextButton } from '../ui/TextButton.tsx'
import { TextField } from '../ui/TextField.tsx'
import { currentCart, linesOf, useCart, useCartPrices } from './cart.ts'
import { currentCode, forgetCode, keepCode, useCartCode } from './cart-code.ts'
import { codeTrouble, codeWords } from './code-words.ts'
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

/** A code that was refused when the order was placed, and why. */
export interface RefusedCode {
  code: string
  message: string
}

/** Asks for a discount code, and shows the one in use. Give each refused code its own key: it is read only once. */
export function CodeField({ refused = null }: { refused?: RefusedCode | null }) {
  const client = useApolloClient()
  const code = useCartCode()
  const { cartItems } = useCart()
  const { saved } = useCartPrices()
  const [typed, setTyped] = useState(refused?.code ?? '')
  const [problem, setProblem] = useState<string | null>(refused?.message ?? null)
  const [asking, setAsking] = useState(false)
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
      forgetCode()
      setTyped(kept)
      setProblem(refusal)
    }
    const kept = currentCode()
    if (kept && !codeTrouble(kept, linesOf(currentCart().cartItems)))
      check(kept.code).catch((error: unknown) => console.error('code', error))
    return () => void (gone = true)
  }, [client])

  useEffect(() => {
    if (refused) input.current?.focus()
  }, [refused])

  async function apply(event: FormEvent) {
    event.preventDefault()
    if (asking) return
    setNews('')
    if (typed.trim() === '') return setProblem('Please enter a code.')
    setAsking(true)
    setProblem(null)
    try {
      // A refused code stays in the field, to be corrected.
      const refusal = await askFor(client, typed.trim())
      setProblem(refusal)
      if (refusal) input.current?.focus()
      else setTyped('')
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setAsking(false)
    }
  }

  function remove() {
    forgetCode()
    setNews('Code removed.')
    // The button that was pressed is gone, and the focus with it.
    requestAnimationFrame(() => input.current?.focus())
  }

  return (
    <Wrap>
      {code ? (
        <Applied>
          <p>
            <strong>{code.code}</strong>{' '}
            <TextButton type="button" onClick={remove} aria-label={`Remove code ${code.code}`}>
              Remove
            </TextButton>
          </p>
          {trouble && <Notice variant="warning">{trouble}</Notice>}
        </Applied>
      ) : (
        <Form noValidate onSubmit={apply}>
          <TextField
            ref={input}
            label="Discount code"
            name="code"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={100}
            value={typed}
            error={problem}
            onChange={event => setTyped(event.target.value)}
          />
          <Button type="submit" variant="quiet" loading={asking}>
            Apply
          </Button>
        </Form>
      )}
      <Saving role="status">
        {!code && news}
        {code &&
          !trouble &&
          (saved > 0
            ? `${codeWords(code)}, you save ${formatCents(saved)}.`
            : `${codeWords(code)}: it saves nothing here, so it stays yours.`)}
      </Saving>
    </Wrap>
  )
}

const Wrap = styled.div`
  display: grid;
  gap: ${space[2]};
`
const Form = styled.form`
  display: flex;
  flex-wrap: wrap;
  gap: ${space[2]} ${space[3]};
  align-items: start;
  > :first-child {
    flex: 1 1 7rem;
  }
  button {
    /* Level with the input, below its label. */
    margin-top: calc(${size.sm} * 1.55 + ${space[1]});
  }
`
const Applied = styled.div`
  display: grid;
  gap: ${space[2]};
  p {
    display: flex;
    justify-content: space-between;
    align-items: center;
    gap: ${space[3]};
  }
  strong {
    font-weight: ${weight.strong};
    letter-spacing: 0.04em;
    overflow-wrap: anywhere;
  }
`
const Saving = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
