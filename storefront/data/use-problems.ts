import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import { notify } from '../ui/toast.ts'

interface Refused {
  field?: readonly string[] | null
  message: string
}

/**
 * What is wrong in a form whose fields come and go while it is open, by field: its shape's issues and the API's
 * refusals alike. The first wrong field gets the focus; what no field shows becomes a toast. `nameOf` answers null for
 * what the form has no field for.
 */
export function useProblems(nameOf: (field: readonly string[]) => string | null = field => field.at(-1) ?? null) {
  const form = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useState<Record<string, string>>({})
  useEffect(() => {
    const messages = Object.values(problems)
    if (messages.length === 0) return
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    const shown = form.current?.textContent ?? ''
    for (const message of messages) if (!shown.includes(message)) notify.error(message)
  }, [problems])
  return {
    form,
    problems,
    /** Shows the first of each field. Returns whether anything is wrong. */
    show(refused: readonly Refused[]): boolean {
      const named = refused.map(({ field, message }) => ({ name: field ? nameOf(field) : null, message }))
      setProblems(
        Object.fromEntries(named.toReversed().flatMap(({ name, message }) => (name === null ? [] : [[name, message]]))),
      )
      for (const { name, message } of named) if (name === null) notify.error(message)
      return refused.length > 0
    },
  }
}

/** What a shape says against a value. */
export const issuesOf = (shape: z.ZodType, value: unknown): Refused[] =>
  shape.safeParse(value).error?.issues.map(({ path, message }) => ({ field: path.map(String), message })) ?? []
