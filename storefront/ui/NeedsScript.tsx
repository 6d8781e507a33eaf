import type { ReactNode } from 'react'
import { css } from 'styled-components'
import { Notice } from './Notice.tsx'

/** For people whose browser runs no script: says why something does not work, and what does. */
export function NeedsScript({ children }: { children: ReactNode }) {
  return (
    <noscript>
      <Notice variant="warning">{children}</Notice>
    </noscript>
  )
}

/** For elements that do nothing without our script. */
export const onlyWithScript = css`
  @media (scripting: none) {
    display: none;
  }
`
