import { fillField } from '../ui/fill-field.ts'
import type { Early } from './hear-early.ts'

/** Repeats what was done before hydration (hear-early.ts), in the same order, as if it were done now. */
export async function replayEarly() {
  const heard = globalThis.early?.heard() ?? []
  delete globalThis.early
  // The page itself handles what is typed meanwhile, and such a field holds more than was recorded.
  const typedOn = new Set<EventTarget | null>()
  const note = ({ isTrusted, target }: Event) => isTrusted && typedOn.add(target)
  addEventListener('input', note, true)
  for (const [index, each] of heard.entries()) {
    if (!each.element.isConnected || isOutdated(each, heard.slice(index + 1))) continue
    // Waits so that each event sees what the one before has changed.
    await new Promise(resolve => setTimeout(resolve))
    if (each.type === 'input' && typedOn.has(each.element)) continue
    wake(each.element)
    if (each.type === 'input') fill(each.element, each.value)
    else {
      each.element.removeAttribute('aria-busy')
      if (each.type === 'click') each.element.click()
      else send(each.element)
    }
  }
  removeEventListener('input', note, true)
}

/** Only a field's last value counts, and a form sent twice with the same button is sent once. */
const isOutdated = ({ type, element }: Early, later: readonly Early[]) =>
  type !== 'click' && later.some(other => other.type === type && other.element === element)

/** React hydrates the part of the page in which something is pressed. */
const wake = (element: Element) => element.dispatchEvent(new MouseEvent('auxclick', { bubbles: true }))

function send(pressed: HTMLElement) {
  if (pressed instanceof HTMLFormElement) pressed.requestSubmit()
  else (pressed as HTMLButtonElement).form?.requestSubmit(pressed)
}

function fill(field: (Early & { type: 'input' })['element'], value: string | boolean) {
  if (typeof value === 'boolean') {
    const box = field as HTMLInputElement
    box.checked = !value
    box.click()
    return
  }
  if (field.type === 'file') return
  fillField(field, value)
}
