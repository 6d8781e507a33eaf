import type { ApolloClient } from '@apollo/client'
import { type ActionFunction, type LoaderFunction, redirect } from 'react-router-dom'
import { AlsoViewedDocument } from '../catalog/AlsoViewed.gql.ts'
import { paths } from '../paths.ts'
import { changedBy, cookieOf, readPlainCart } from './plain-cart.ts'
import type { PlainCartState } from './PlainCart.tsx'
import { quotePlainCart } from './quote-plain-cart.ts'

// The server's part of carts without script. Browsers do not load it.

const FULL = 'full'

/** The cart from the request's cookie; null without one, which is also the case for browsers that run our script. */
export const loadCart =
  (client: ApolloClient): LoaderFunction =>
  async ({ request }): Promise<PlainCartState | null> => {
    const isFull = new URL(request.url).searchParams.has(FULL)
    const lines = readPlainCart(request.headers.get('cookie'))
    if (lines.length > 0) return { ...(await quotePlainCart(client, lines)), isFull }
    // The products an empty cart shows; the page works without them.
    await client.query({ query: AlsoViewedDocument }).catch(() => null)
    return null
  }

/** Changes the cart as a form asks, and redirects to its page. */
export const changePlainCart =
  (): ActionFunction =>
  async ({ request }) => {
    const change = changedBy(readPlainCart(request.headers.get('cookie')), await request.formData())
    if (!change) throw new Response(null, { status: 400 })
    return redirect(paths.cart() + (change.isFull ? `?${FULL}` : ''), {
      status: 303,
      headers: { 'set-cookie': cookieOf(change.lines, request.url.startsWith('https:')) },
    })
  }
