type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Done before the page was alive: a button pressed, a form sent with one, or what a field holds since. */
export type Early =
  { type: 'click' | 'submit'; element: HTMLElement } | { type: 'input'; element: Field; value: string | boolean }

declare global {
  /** What was done until now; from then on nothing is noted. */
  var early: (() => Early[]) | undefined
}

/**
 * Notes what needs our script: presses of buttons, fields, and forms that it sends. When the script cannot be loaded, the
 * form sent last goes where it leads by itself; one marked `data-plain` always does.
 */
function hear() {
  const heard: Early[] = []
  const types = ['click', 'submit', 'input']
  const note = (event: Event) => {
    const target = event.target as Element
    if (event.type === 'input') {
      const element = target as Field
      const value = /^(checkbox|radio)$/.test(element.type) ? (element as HTMLInputElement).checked : element.value
      heard.push({ type: 'input', element, value })
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
    heard.push({ type: event.type as 'click' | 'submit', element: pressed })
  }
  const stop = () => {
    for (const type of types) removeEventListener(type, note, true)
    removeEventListener('error', giveUp, true)
    return heard
  }
  const giveUp = (event: Event) => {
    if ((event.target as HTMLScriptElement).type !== 'module') return
    const sent = stop().findLast(({ type }) => type === 'submit')?.element
    const form = sent instanceof HTMLButtonElement ? sent.form : (sent as HTMLFormElement | undefined)
    form?.submit()
  }
  for (const type of types) addEventListener(type, note, true)
  addEventListener('error', giveUp, true)
  self.early = stop
}

/** Runs inline in the head, before there is anything to press. */
export const EARLY_SCRIPT = `(${hear})()`
