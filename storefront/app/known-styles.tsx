import { type ReactNode, useContext } from 'react'
import { StyleSheetContext } from 'styled-components'

/** Compiled rules by their source. Each page has its own style sheet, but components have the same rules on all pages. */
const rules = new Map<string, string[]>()
const RULES_KEPT = 5_000

/** Reuses a component's compiled rules instead of compiling them again for each page. */
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
