import type { ShopPageSlug } from '#schema/rules/shop-pages'

/** The editor shows paragraphs, not the lines of this file. */
const prose = (texts: TemplateStringsArray) => texts.join('').replaceAll(/(?<=\S)\n(?: {2})?(?=[^\s#-])/g, ' ')

/** What the shop says of itself until its owner does: true of the software, and of its settings by their figures. */
export const FIRST_TEXTS: Record<ShopPageSlug, { title: string; markdown: string }> = {
  'shipping-and-returns': {
    title: 'Shipping and returns',
    markdown: prose`## What shipping costs

We ship to {ships to}. {shipping terms} Cart and review show the exact amount before you order. {tax terms}

## When it comes

We pack what is paid within two working days, and write to you when it has been delivered. Your order’s page always says
where it stands.

## Sending something back

Wound one skein too few, or fallen out of love with the colour? Unused yarn and tools, with their labels on, can come back
within **{return days} days** of delivery. Write to us first (see [Contact](/contact)) with the number of your order, and we tell you
where the parcel goes. The money goes back the way it came, within five working days of its arrival.

Did something arrive damaged, or was it not what you ordered? Then we pay for the way back, too.

## Orders that wait to be paid

While you pay, we set your yarn aside for {hold minutes} minutes. If nothing is paid by then, it goes back to the shelf;
nothing is charged.
`,
  },
  contact: {
    title: 'Contact',
    markdown: prose`Questions about a dye lot, a pattern that calls for something we do not have, a parcel that takes too long: write to us,
and somebody who knits answers, usually within two working days.

Email: {shop email}

Post: {shop address}
`,
  },
  about: {
    title: 'About us',
    markdown: prose`{shop name} is a yarn shop for people who read the label.

We list every yarn with what you need to plan a project: fibre, weight, length, gauge, the needles and hooks it likes, and
how to wash it. Where we know the price of a hundred metres, we say that, too, so that two yarns can be compared.

Reviews come from people with an account; those of buyers are marked as such. We hide none for being unkind to a yarn.
`,
  },
  privacy: {
    title: 'Privacy',
    markdown: prose`## No cookies, but one for those without JavaScript

This shop sets **no cookies** in a browser that runs its script, and runs no analytics, no advertising and no scripts of
others, so there is nothing to consent to. Your cart, your address, what you searched for, what opens the orders you placed without an account, and your sign-in
are kept by your own browser, in its storage for this site; signing out empties it. So are
copies of the public pages you last looked at, for when you have no connection. PayPal’s own script is loaded on the
page where you pay, and nowhere else.

Where a page’s script does not run, because you have turned JavaScript off or it could not be loaded, the browser has no such
storage. If you then put something into your cart, which products and how many are kept in **one cookie**, \`cart\`, for 30
days or until you empty the cart. It is read on the cart’s page alone, says nothing about who you are, and ends when the
script runs again.

Where we offer to sign in with Apple or Google and you do, a cookie holds the way there and back together, for ten minutes at
most, and ends with it. They tell us your name and email; we tell them nothing but that you come from here.

## What we keep, and why

- **Your account**: name, email, and a hash of your password that nobody can read it from.
- **Your orders**: what you bought, where it went, and what you paid, with your email where you ordered without an account.
  Tax law makes us keep them.
- **Your stash**: what you put into it, until you take it out.
- **What you wait for**: the product and your address, until the one letter is sent, or you take it back.
- **Reviews** you write, with your name, for everyone to read.
- **The newsletter**: your address, once you have confirmed it. Every letter has a link that takes you off the list.
- **Letters we sent**: what for and when, for 30 days.
- **Searches**: the words, without who typed them.
- **Addresses of computers** (IP), for as long as it takes to stop somebody from guessing passwords: an hour or so; and
  with an order that waits to be paid.

## Who else sees it

PayPal gets what it needs to take your payment, and the carrier the address on the parcel. Nobody else, and nothing is sold.

## What you can ask for

What we know of you, a correction, or that we forget you. Write to us: {shop email}.
`,
  },
  terms: {
    title: 'Terms',
    markdown: prose`## Who you buy from

{shop name}. Post: {shop address}. Email: {shop email}.

## How an order comes about

Prices are in {currency}. The review before you order shows everything: items, discount, shipping and tax. {tax terms}
Placing the order sets the yarn aside for you; the order is binding for both of us once it is paid. Until then you can
cancel it on its page, and if it is not paid in time, it lapses by itself.

If a payment reaches us after the yarn has gone to somebody else, you get your money back.

## Discount codes

One code an order. A code takes off what it says and never makes an order dearer. Some are for a first order, for some
products, or for one person; the cart says why one does not work.

## Returns

See [Shipping and returns](/shipping-and-returns). What the law of your state gives you stays yours, whatever is written here.
`,
  },
  accessibility: {
    title: 'Accessibility',
    markdown: prose`Everybody should be able to buy yarn here. We build the shop to meet **WCAG 2.2, level AA**.

- Everything works with a keyboard, and it is always visible where you are.
- Pages have headings, landmarks and names for screen readers, and changes are announced.
- Colours have enough contrast, in the light and the dark theme, and no state is told by colour alone.
- Text can be enlarged to 200%, and motion stops when your device asks for less of it.

Each version of the shop is checked by programs on every kind of page before it is used, and by hand.

## What we know is not good yet

Paying happens in a window of PayPal’s, which we cannot change.

## Tell us

Something is in your way? Please [write to us](/contact). We answer within two working days and will find another way for
you to order meanwhile.
`,
  },
}
