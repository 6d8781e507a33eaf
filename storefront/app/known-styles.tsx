import { type ReactNode, useContext } from 'react'
import { StyleSheetContext } from 'styled-components'

/** Rules by what they were written as: each page has a style sheet of its own, and components look the same on all. */
const rules = new Map<string, string[]>()
const RULES_KEPT = 5_000

/** Does not write the rules of a component anew for each page. */
export function KnownStyles({ children }: { children: ReactNode }) {
  const context = useContext(StyleSheetContext)
  const { stylis } = context
  const write = (...[css, selector, prefix, id]: Parameters<typeof stylis>) => {
    const key = [selector, prefix, id, css].join('\n')
    const known = rules.get(key) ?? stylis(css, selector, prefix, id)
    if (rules.size < RULES_KEPT) rules.set(key, known)
    return known
  }
  return (
    <StyleSheetContext value={{ ...context, stylis: Object.assign(write, { hash: stylis.hash }) }}>
      {children}
    </StyleSheetContext>
  )
}
