type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Done before the page was alive: a button pressed, a form sent with one, or what a field holds since. */
export type Early =
  { type: 'click' | 'submit'; element: HTMLElement } | { type: 'input'; element: Field; value: string | boolean }

declare global {
  var early:
    | {
        /** What was done until now; from then on nothing is noted. */
        heard: () => Early[]
        /** For a page that will not come alive. */
        giveUp: () => void
      }
    | undefined
}

/**
 * Notes what needs our script: presses of buttons, fields, and forms that it sends. When the script cannot be loaded, the
 * form sent last goes where it leads by itself; one marked `data-plain` always does. Where nothing was done yet, the page
 * is loaded anew, once: a newer version may have taken its script away.
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
    // What is on its way does not arrive.
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
      // Without storage nobody would know the next time.
    }
    giveUp()
  }
  for (const type of types) addEventListener(type, note, true)
  addEventListener('error', miss, true)
  self.early = { heard, giveUp }
}

/** Runs inline in the head, before there is anything to press. */
export const EARLY_SCRIPT = `(${hear})()`
