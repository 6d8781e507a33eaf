// The approval window: asks the simulator to approve, then tells the page that opened it, and only that one.
// The shop's script closes the window once it has captured, or sends it back here after a decline.
const { token, origin, fundingSource } = document.documentElement.dataset
const shop = window.opener ?? (window.parent === window ? null : window.parent)
const form = document.getElementById('payment')
const outcome = document.getElementById('outcome')

const TEST_CARDS = ['4111111111111111', '4242424242424242', '5555555555554444', '378282246310005']
const DECLINED_CARD = '4000000000000002'

// Of no payment yet: the shop's script sends the window on.
if (!token) report({ type: 'waiting' })

form?.addEventListener('submit', async event => {
  event.preventDefault()
  if (fundingSource === 'card' && !checkCard()) return
  const declined = fundingSource === 'card' ? digits('number') === DECLINED_CARD : event.submitter?.value === 'decline'
  lock(true)
  say('Confirming …')
  try {
    // The card stays in this page: only whether the payment should be approved or declined leaves it.
    const answer = await post(declined ? 'decline' : 'approve')
    report({ type: 'approved', payerId: answer.payerId })
    say(shop && origin ? 'Approved. Finishing with the shop …' : 'Approved. You can close this window.')
  } catch (error) {
    lock(false)
    say(error.message)
  }
})

for (const button of document.querySelectorAll('[data-cancel]')) {
  button.addEventListener('click', async () => {
    await post('cancel').catch(() => {})
    report({ type: 'cancelled' })
    window.close()
    say('You can close this window.')
  })
}

for (const choice of document.querySelectorAll('input[name=sample]')) {
  choice.addEventListener('change', () => {
    field('number').value = choice.value
    complain('number', '')
  })
}

for (const name of ['number', 'expiry', 'cvc']) {
  field(name)?.addEventListener('input', () => {
    complain(name, '')
    if (name === 'number') matchChoice()
  })
  field(name)?.addEventListener('blur', ({ relatedTarget }) => {
    // A message would move the button away from under the press, and the press shows it anyway.
    if (relatedTarget?.type !== 'submit') complain(name, mistakeIn(name))
  })
}

document.body.hidden = false

function field(name) {
  return document.getElementById(name)
}

function digits(name) {
  return field(name).value.replace(/\D/g, '')
}

function matchChoice() {
  for (const choice of document.querySelectorAll('input[name=sample]')) {
    choice.checked = choice.value.replace(/\D/g, '') === digits('number')
  }
}

function checkCard() {
  const wrong = ['number', 'expiry', 'cvc'].filter(name => {
    const mistake = mistakeIn(name)
    complain(name, mistake)
    return mistake
  })
  if (wrong.length > 0) field(wrong[0]).focus()
  return wrong.length === 0
}

function mistakeIn(name) {
  if (name === 'number') return mistakeInNumber(digits('number'))
  if (name === 'expiry') return mistakeInExpiry(field('expiry').value)
  const length = digits('cvc').length
  return length === 3 || length === 4 ? '' : 'Enter the 3 or 4 digits of the CVC.'
}

function mistakeInNumber(number) {
  if (number === '') return 'Enter a card number.'
  if (number.length < 13 || !passesLuhn(number)) return 'This is not a card number. Check the digits.'
  if (number !== DECLINED_CARD && !TEST_CARDS.includes(number))
    return 'Only test cards work here. Please never enter a real one.'
  return ''
}

function mistakeInExpiry(text) {
  const match = /^\s*(\d{1,2})\s*\/?\s*(?:20)?(\d{2})\s*$/.exec(text)
  const month = Number(match?.[1])
  if (!match || month < 1 || month > 12) return 'Enter month and year, like 04/29.'
  const firstDayAfter = new Date(2000 + Number(match[2]), month, 1)
  return firstDayAfter > new Date() ? '' : 'This card has expired.'
}

function passesLuhn(number) {
  let sum = 0
  for (const [index, digit] of [...number].reverse().entries()) {
    const weighted = Number(digit) * (index % 2 === 1 ? 2 : 1)
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return sum % 10 === 0
}

function complain(name, mistake) {
  document.getElementById(`${name}-error`).textContent = mistake
  if (mistake) field(name).setAttribute('aria-invalid', 'true')
  else field(name).removeAttribute('aria-invalid')
}

function lock(locked) {
  for (const control of form.elements) control.disabled = locked
}

function say(text) {
  outcome.textContent = text
}

async function post(act) {
  const response = await fetch(`/__buyer/${act}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, fundingSource }),
  }).catch(() => {
    throw new Error('The simulator does not answer. Try again.')
  })
  const answer = response.status === 204 ? {} : await response.json()
  if (!response.ok) throw new Error(answer.message ?? 'That did not work. Try again.')
  return answer
}

function report(message) {
  if (shop && origin) shop.postMessage({ source: 'paypal-simulator', token, ...message }, origin)
}
