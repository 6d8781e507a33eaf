import { type Ref, type RefObject, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** React only tells of what it has not seen yet: so the field first holds something else. */
export function fillField(field: Field, value: string): void {
  field.value = value === '' ? ' ' : ''
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
}

/**
 * A browser fills in fields before their part of the page is alive, without a press or a key. React leaves that in sight
 * only until it draws the field again; a field that holds something else than it should when it comes alive tells so.
 */
export function useFilledIn<E extends Field>(value: unknown, ref?: Ref<E>): RefObject<E | null> {
  const field = useRef<E>(null)
  const [sent] = useState(value)
  useImperativeHandle(ref, () => field.current as E)
  useLayoutEffect(() => {
    const held = field.current?.value
    if (field.current && held !== undefined && sent !== undefined && held !== String(sent))
      fillField(field.current, held)
  }, [sent])
  return field
}
