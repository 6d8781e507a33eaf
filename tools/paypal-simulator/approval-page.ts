// The HTML of the approval window. Its behaviour is approval-page.js, its looks approval-page.css.
import type { FundingSource } from './store.ts'

export interface ShownOrder {
  token: string
  shop: string
  description: string
  amount: string
  wasDeclined: boolean
  buyer: { name: string; email: string }
}

export function approvalPage(order: ShownOrder, fundingSource: FundingSource, origin: string | null): string {
  const title = `Pay ${order.amount} to ${order.shop}`
  return document(
    title,
    { token: order.token, origin, fundingSource },
    html`
      <section class="bill" aria-label="What you pay for">
        <p class="shop">${order.shop}</p>
        <h1 class="amount">
          <span class="unseen">Pay </span>${order.amount}<span class="unseen"> to ${order.shop}</span>
        </h1>
        <p class="description">${order.description}</p>
      </section>
      ${order.wasDeclined ? raw(declinedNotice) : ''}
      ${raw(fundingSource === 'card' ? cardForm(order) : accountForm(order))}
    `,
  )
}

const declinedNotice = html`
  <p class="notice" role="alert">
    <strong>The payment was declined.</strong> Nothing was charged. You can pay in another way or try again.
  </p>
`

/** Above the buttons, where it is seen without scrolling. */
const outcome = '<p id="outcome" class="outcome" role="status"></p>'

function accountForm(order: ShownOrder): string {
  return html`
    <form id="payment" novalidate>
      <section class="source" aria-labelledby="source-title">
        <h2 id="source-title">Pay with your test account</h2>
        <div class="account">
          <span class="initials" aria-hidden="true">TB</span>
          <span><strong>${order.buyer.name}</strong><br /><span class="faint">${order.buyer.email}</span></span>
        </div>
        <dl>
          <div>
            <dt>Pays from</dt>
            <dd>Test balance</dd>
          </div>
          <div>
            <dt>Available</dt>
            <dd>As much as it takes</dd>
          </div>
        </dl>
      </section>
      <div class="actions">
        ${raw(outcome)}
        <button class="primary" type="submit" name="act" value="approve">Pay ${order.amount} now</button>
        <button class="secondary" type="submit" name="act" value="decline" aria-describedby="decline-hint">
          Decline
        </button>
        <p id="decline-hint" class="hint">“Decline” plays the bank that says no.</p>
        <button class="plain" type="button" data-cancel>Cancel and return</button>
      </div>
    </form>
  `
}

function cardForm(order: ShownOrder): string {
  return html`
    <form id="payment" novalidate>
      <section class="source" aria-labelledby="source-title">
        <h2 id="source-title">Pay with a test card</h2>
        <fieldset>
          <legend class="unseen">Choose a test card</legend>
          <label class="choice">
            <input type="radio" name="sample" value="4111 1111 1111 1111" checked />
            <span><strong>Card that works</strong><span class="digits">4111 1111 1111 1111</span></span>
          </label>
          <label class="choice">
            <input type="radio" name="sample" value="4000 0000 0000 0002" />
            <span><strong>Card that is declined</strong><span class="digits">4000 0000 0000 0002</span></span>
          </label>
        </fieldset>
        <div class="field">
          <label for="number">Card number</label>
          <input
            id="number"
            name="number"
            inputmode="numeric"
            autocomplete="off"
            spellcheck="false"
            maxlength="23"
            value="4111 1111 1111 1111"
            aria-describedby="number-error"
          />
          <p id="number-error" class="error"></p>
        </div>
        <div class="pair">
          <div class="field">
            <label for="expiry">Expiry <span class="faint">MM/YY</span></label>
            <input
              id="expiry"
              name="expiry"
              inputmode="numeric"
              autocomplete="off"
              maxlength="7"
              value="${nextYears()}"
              aria-describedby="expiry-error"
            />
            <p id="expiry-error" class="error"></p>
          </div>
          <div class="field">
            <label for="cvc">CVC</label>
            <input
              id="cvc"
              name="cvc"
              inputmode="numeric"
              autocomplete="off"
              maxlength="4"
              value="123"
              aria-describedby="cvc-error"
            />
            <p id="cvc-error" class="error"></p>
          </div>
        </div>
        <p class="hint">Only test cards work here. Never type the number of a real one.</p>
      </section>
      <div class="actions">
        ${raw(outcome)}
        <button class="primary" type="submit" name="act" value="approve">Pay ${order.amount} now</button>
        <button class="plain" type="button" data-cancel>Cancel and return</button>
      </div>
    </form>
  `
}

/** A date that is always some years ahead. */
function nextYears(): string {
  return `12/${String((new Date().getFullYear() + 4) % 100).padStart(2, '0')}`
}

const NOTES = {
  waiting: { title: 'One moment …', text: 'The shop is preparing your payment.' },
  unknown: {
    title: 'This payment is no longer known',
    text: 'The simulator was restarted since it began. Return to the shop and try again.',
  },
  paid: { title: 'Already paid', text: 'This payment has been made. There is nothing left to do here.' },
}

export function notePage(note: keyof typeof NOTES, origin: string | null, token = ''): string {
  const { title, text } = NOTES[note]
  const back = html`<form id="payment">
    <div class="actions">
      ${raw(outcome)}<button class="primary" type="button" data-cancel>Return to the shop</button>
    </div>
  </form>`
  return document(
    title,
    { token, origin, fundingSource: 'paypal' },
    html`
      <section class="bill note">
        ${note === 'waiting' ? raw('<span class="spinner" aria-hidden="true"></span>') : ''}
        <h1>${title}</h1>
        <p>${text}</p>
      </section>
      ${note === 'waiting' ? '' : raw(back)}
    `,
  )
}

interface PageFacts {
  token: string
  origin: string | null
  fundingSource: FundingSource
}

/** Hidden until the script runs: without it the form cannot pay, and a key may be pressed before anything is painted. */
function document(title: string, { token, origin, fundingSource }: PageFacts, body: string): string {
  return html`<!doctype html>
    <html lang="en" data-token="${token}" data-origin="${origin ?? ''}" data-funding-source="${fundingSource}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title} · PayPal simulator, test mode</title>
        <link rel="stylesheet" href="/approval-page.css" />
        <script src="/approval-page.js" defer></script>
      </head>
      <body hidden>
        <header class="banner"><strong>TEST MODE</strong> – no money moves</header>
        <main>
          <p class="name">PayPal simulator</p>
          ${raw(body)}
        </main>
      </body>
    </html>`
}

/** Text put into HTML is escaped unless it is HTML already. */
function html(parts: TemplateStringsArray, ...values: (string | Raw)[]): string {
  return String.raw({ raw: parts }, ...values.map(value => (typeof value === 'string' ? escape(value) : value.html)))
}

interface Raw {
  html: string
}

function raw(text: string): Raw {
  return { html: text }
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
