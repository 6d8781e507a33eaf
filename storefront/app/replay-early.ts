import { fillField } from '../ui/fill-field.ts'
import type { Early } from './hear-early.ts'

/** Does what was done before the page was alive (hear-early.ts), in its order, as if it were done now. */
export async function replayEarly() {
  const heard = globalThis.early?.heard() ?? []
  delete globalThis.early
  // Whoever types on meanwhile is heard by the page itself, and holds more than what was noted.
  const typedOn = new Set<EventTarget | null>()
  const note = ({ isTrusted, target }: Event) => isTrusted && typedOn.add(target)
  addEventListener('input', note, true)
  for (const [index, each] of heard.entries()) {
    if (!each.element.isConnected || isOutdated(each, heard.slice(index + 1))) continue
    // Each sees what the one before has changed.
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

/** Only what a field held last counts, and who presses a form's button again waits for the same thing. */
const isOutdated = ({ type, element }: Early, later: readonly Early[]) =>
  type !== 'click' && later.some(other => other.type === type && other.element === element)

/** React makes a part of the page alive that something is pressed in. */
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
