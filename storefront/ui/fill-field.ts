import { type Ref, type RefObject, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** React only reports a value it has not seen yet, so the field gets a different one first. */
export function fillField(field: Field, value: string): void {
  field.value = value === '' ? ' ' : ''
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
}

/**
 * Browsers can fill in fields before they are hydrated. React shows such a value only until it renders the field again,
 * so a field whose value at hydration differs from the one it was rendered with reports it as a change.
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
