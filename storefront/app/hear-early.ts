type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Something done before the page was hydrated: a button pressed, a form sent, or a field changed to a value. */
export type Early =
  { type: 'click' | 'submit'; element: HTMLElement } | { type: 'input'; element: Field; value: string | boolean }

declare global {
  var early:
    | {
        /** Stops recording, and returns what was done until now. */
        heard: () => Early[]
        /** For a page that cannot be hydrated. */
        giveUp: () => void
      }
    | undefined
}

/**
 * Records what needs our script: button presses, field changes, and forms that the script sends. When the script cannot be
 * loaded, the browser submits the form sent last; it always submits a form marked `data-plain`. If nothing was done yet,
 * the page is reloaded once, because a newer version may have removed its script.
 */
function hear() {
  const done: Early[] = []
  const types = ['click', 'submit', 'input']
  const note = (event: Event) => {
    const target = event.target as Element
    if (event.type === 'input') {
      const element = target as Field
      const value = /^(checkbox|radio)$/.test(element.type) ? (element as HTMLInputElement).checked : element.value
      done.push({ type: 'input', element, value })
      return
    }
    let pressed: HTMLElement | null
    if (event.type === 'submit') {
      const form = target as HTMLFormElement
      if (form.method !== 'post' || form.dataset.plain) return
      event.preventDefault()
      pressed = (event as SubmitEvent).submitter ?? form
    } else {
      const button = target.closest('button')
      if (!button || button.popoverTargetElement || (button.form && button.type === 'submit')) return
      pressed = button
    }
    pressed.setAttribute('aria-busy', 'true')
    done.push({ type: event.type as 'click' | 'submit', element: pressed })
  }
  const heard = () => {
    for (const type of types) removeEventListener(type, note, true)
    removeEventListener('error', miss, true)
    return done
  }
  const giveUp = () => {
    const sent = heard().findLast(({ type }) => type === 'submit')?.element
    const form = sent instanceof HTMLButtonElement ? sent.form : (sent as HTMLFormElement | undefined)
    if (form) return form.submit()
    for (const { type, element } of done) if (type === 'click') element.removeAttribute('aria-busy')
    const main = document.getElementById('main')
    const words = document.createElement('p')
    words.role = 'alert'
    words.textContent = 'Part of this page could not be loaded. Please check your connection, then load the page again.'
    words.style.padding = '0 1.25rem 1.25rem'
    words.style.textAlign = 'center'
    // What the page still waits for will not arrive.
    main?.querySelector('[aria-busy]')?.replaceChildren()
    main?.prepend(words)
  }
  const miss = ({ target }: Event) => {
    const { type, src } = target as HTMLScriptElement
    if (type !== 'module') return
    try {
      if (done.length === 0 && navigator.onLine && sessionStorage.getItem('reloaded') !== src) {
        sessionStorage.setItem('reloaded', src)
        return location.reload()
      }
    } catch {
      // Without storage the next load would not know about this one.
    }
    giveUp()
  }
  for (const type of types) addEventListener(type, note, true)
  addEventListener('error', miss, true)
  self.early = { heard, giveUp }
}

/** Runs inline in the head, before the page has anything to press. */
export const EARLY_SCRIPT = `(${hear})()`
