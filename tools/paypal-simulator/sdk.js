// Stands in for PayPal's JavaScript SDK v5: the same calls, as far as the shop uses them, and no money.
// Styles are set through the CSSOM only, so the shop's strict Content-Security-Policy stays as it is.
;(() => {
  const script = document.currentScript
  const address = new URL(script.src)
  const simulator = address.origin
  const switchedOff = (address.searchParams.get('disable-funding') ?? '').split(',')
  const FUNDING = { PAYPAL: 'paypal', CARD: 'card', VENMO: 'venmo', PAYLATER: 'paylater', CREDIT: 'credit' }
  const LABELS = { paypal: 'PayPal', card: 'Debit or Credit Card' }

  const OPENING_MS = 3_000

  const isOffered = source => Object.hasOwn(LABELS, source) && !switchedOff.includes(source)

  // ---- Buttons -------------------------------------------------------------------------------------------

  function Buttons(props = {}) {
    const sources = (props.fundingSource ? [props.fundingSource] : Object.keys(LABELS)).filter(isOffered)
    let root = null
    let payment = null

    function press(fundingSource) {
      // One payment at a time; a second press brings its window back.
      if (payment) return payment.focus()
      let rejected = false
      const clicked = props.onClick?.(
        { fundingSource },
        { resolve: async () => true, reject: async () => ((rejected = true), false) },
      )
      if (rejected) return
      const mayGoOn = Promise.resolve(clicked).then(() => !rejected)
      // Opened before any await: after one the browser would block it.
      payment = startPayment(props, fundingSource, openSurface(), mayGoOn)
      payment.ended.finally(() => {
        payment = null
      })
    }

    function setEnabled(enabled) {
      for (const button of root?.querySelectorAll('button') ?? []) {
        button.disabled = !enabled
        Object.assign(button.style, {
          cursor: enabled ? 'pointer' : 'not-allowed',
          filter: enabled ? '' : 'grayscale(1)',
        })
      }
    }

    return {
      isEligible: () => sources.length > 0,
      hasReturned: () => false,
      resume() {},
      async updateProps(changed) {
        Object.assign(props, changed)
      },
      async render(container) {
        const place = typeof container === 'string' ? document.querySelector(container) : container
        if (!place) throw new Error(`Expected element to be passed to render: ${container}`)
        root = element('div', { display: 'grid', gap: '12px', width: '100%' })
        root.dataset.paypalSimulator = ''
        root.append(...sources.map(source => payButton(source, () => press(source))))
        place.append(root)
        props.onInit?.({}, { enable: async () => setEnabled(true), disable: async () => setEnabled(false) })
      },
      async close() {
        payment?.abandon()
        root?.remove()
        root = null
      },
    }
  }

  function payButton(source, press) {
    const dark = source === 'paypal'
    const button = element('button', {
      display: 'flex',
      flexDirection: 'column',
      alignItems: 'center',
      justifyContent: 'center',
      gap: '1px',
      width: '100%',
      height: '48px',
      margin: '0',
      padding: '0 12px',
      border: dark ? '1px solid #6f8aa3' : '1px solid #7d8794',
      borderRadius: '10px',
      // Both carry their own colours, so they read the same on a light page and on a dark one.
      background: dark ? '#26384a' : '#fdfdfc',
      color: dark ? '#ffffff' : '#1d2630',
      font: '600 16px/1.2 system-ui, sans-serif',
      textAlign: 'center',
      cursor: 'pointer',
    })
    button.type = 'button'
    button.dataset.fundingSource = source
    const label = element('span')
    label.textContent = LABELS[source]
    const mode = element('span', { font: '500 11px/1.2 system-ui, sans-serif', color: dark ? '#cfdbe6' : '#525d69' })
    mode.textContent = 'Test mode – no money moves'
    // The space keeps the two apart in the accessible name.
    button.append(label, ' ', mode)
    button.addEventListener('click', press)
    const plain = button.style.background
    button.addEventListener('pointerenter', () => (button.style.background = dark ? '#31475d' : '#eef1f3'))
    button.addEventListener('pointerleave', () => (button.style.background = plain))
    // A blue that stands out from light and dark pages alike.
    button.addEventListener('focus', () => {
      if (button.matches(':focus-visible'))
        Object.assign(button.style, { outline: '3px solid #3d7fc1', outlineOffset: '2px' })
    })
    button.addEventListener('blur', () => (button.style.outline = ''))
    return button
  }

  // ---- One payment ---------------------------------------------------------------------------------------

  function startPayment(props, fundingSource, firstSurface, mayGoOn) {
    let surface = firstSurface
    let abandoned = false

    async function run() {
      if (!(await mayGoOn)) return
      const orderID = await props.createOrder({ paymentSource: fundingSource }, { order: { create: onlyOnTheServer } })
      if (!orderID) throw new Error('Expected an order id to be passed')
      for (;;) {
        await surface.go(approvalUrl(orderID, fundingSource))
        const decision = await buyersDecision(surface, orderID, () => abandoned)
        if (decision.type === 'abandoned') return
        if (decision.type === 'cancelled') {
          surface.close()
          await props.onCancel?.({ orderID }, { redirect })
          return
        }
        if (!(await handOver(orderID, decision.payerId))) return
        // Declined: the window is still there, and shows what happened. If not, it has to be opened again.
        if (surface.isClosed()) surface = openSurface()
      }
    }

    /** Gives the approval to the shop. True when the shop wants the buyer to choose again. */
    async function handOver(orderID, payerID) {
      let again = false
      const restart = async () => {
        again = true
      }
      await props.onApprove?.(
        {
          orderID,
          payerID,
          paymentSource: fundingSource,
          paymentID: null,
          billingToken: null,
          facilitatorAccessToken: 'simulated',
        },
        { restart, redirect, order: { capture: onlyOnTheServer, get: onlyOnTheServer } },
      )
      return again
    }

    function fail(error) {
      surface.close()
      if (props.onError) return props.onError(error)
      console.error(error)
    }

    const leave = () => surface.close()
    addEventListener('pagehide', leave)
    const ended = run()
      .catch(fail)
      .finally(() => {
        removeEventListener('pagehide', leave)
        surface.close()
      })
    return {
      ended,
      focus: () => surface.focus(),
      abandon: () => {
        abandoned = true
      },
    }
  }

  /** Resolves once the buyer has approved, cancelled or closed the window. */
  function buyersDecision(surface, orderID, isAbandoned) {
    return new Promise(resolve => {
      let closedFor = 0
      const settle = decision => {
        removeEventListener('message', hear)
        clearInterval(watch)
        resolve(decision)
      }
      const hear = ({ origin, source, data }) => {
        if (origin !== simulator || source !== surface.window()) return
        if (data?.source !== 'paypal-simulator' || data.token !== orderID) return
        settle({ type: data.type, payerId: data.payerId })
      }
      // A window that closes sends nothing by itself, and its last message may still be on its way.
      const watch = setInterval(() => {
        if (isAbandoned()) return settle({ type: 'abandoned' })
        if (surface.isClosed() && ++closedFor > 2) settle({ type: 'cancelled' })
      }, 100)
      addEventListener('message', hear)
    })
  }

  async function onlyOnTheServer() {
    throw new Error('Create and capture the order on the server.')
  }

  function redirect(url) {
    location.assign(url)
  }

  function approvalUrl(orderID, fundingSource) {
    const query = new URLSearchParams({ fundingSource, origin: location.origin })
    if (orderID) query.set('token', orderID)
    return `${simulator}/checkoutnow?${query}`
  }

  // ---- Where the buyer approves: a window, or a dialog in the page where windows are blocked ------------------

  function openSurface() {
    return openPopup() ?? openDialog()
  }

  function openPopup() {
    const [width, height] = [500, 700]
    const left = Math.round(screenX + Math.max(0, (outerWidth - width) / 2))
    const top = Math.round(screenY + Math.max(0, (outerHeight - height) / 2))
    const features = `popup,width=${width},height=${height},left=${left},top=${top}`
    const popup = window.open(approvalUrl('', ''), `paypal_simulator_${Date.now()}`, features)
    if (!popup || popup.closed) return null
    const shown = firstPageOf(popup)
    return {
      // A browser that gives each site a process of its own loses an address it is told while the first page is coming.
      go: async url => {
        await shown
        if (!popup.closed) popup.location.href = url
      },
      window: () => popup,
      isClosed: () => popup.closed,
      focus: () => popup.focus(),
      close: () => popup.close(),
    }
  }

  /** Resolves once the window shows its first page, or has had time to. */
  function firstPageOf(popup) {
    return new Promise(resolve => {
      const settle = () => {
        removeEventListener('message', hear)
        clearTimeout(timer)
        resolve()
      }
      const hear = ({ origin, source, data }) => {
        if (origin === simulator && source === popup && data?.source === 'paypal-simulator') settle()
      }
      const timer = setTimeout(settle, OPENING_MS)
      addEventListener('message', hear)
    })
  }

  function openDialog() {
    const dialog = element('dialog', {
      width: 'min(500px, calc(100vw - 24px))',
      height: 'min(720px, calc(100dvh - 24px))',
      maxWidth: 'none',
      maxHeight: 'none',
      padding: '0',
      border: '1px solid #7d8794',
      borderRadius: '14px',
      overflow: 'hidden',
      background: '#f4f3ef',
      boxShadow: '0 24px 80px rgb(0 0 0 / 45%)',
    })
    dialog.setAttribute('aria-label', 'PayPal simulator, test mode')
    const column = element('div', { display: 'flex', flexDirection: 'column', height: '100%' })
    const closeButton = element('button', {
      alignSelf: 'flex-end',
      minHeight: '44px',
      padding: '0 16px',
      border: '0',
      background: 'transparent',
      color: '#1d2630',
      font: '600 15px/1 system-ui, sans-serif',
      cursor: 'pointer',
    })
    closeButton.type = 'button'
    closeButton.textContent = 'Close'
    const frame = element('iframe', { flex: '1', width: '100%', border: '0' })
    frame.title = 'Approve the payment'
    frame.src = approvalUrl('', '')
    column.append(closeButton, frame)
    dialog.append(column)
    document.body.append(dialog)
    const close = () => dialog.remove()
    closeButton.addEventListener('click', close)
    dialog.addEventListener('close', close)
    dialog.showModal()
    return {
      go: url => {
        frame.src = url
      },
      window: () => frame.contentWindow,
      isClosed: () => !dialog.isConnected,
      focus: () => frame.focus(),
      close,
    }
  }

  function element(name, style = {}) {
    const made = document.createElement(name)
    Object.assign(made.style, style)
    return made
  }

  window[script.dataset.namespace || 'paypal'] = {
    version: '5.0.0-simulator',
    FUNDING,
    Buttons,
    getFundingSources: () => Object.keys(LABELS),
    isFundingEligible: isOffered,
  }
})()
