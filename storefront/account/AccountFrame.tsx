import { type ComponentProps, type ReactNode, useEffect } from 'react'
import { styled } from 'styled-components'
import { color, space } from '../theme/tokens.ts'
import { Container } from '../ui/Container.tsx'

/** The one column in which people sign in, register and choose a password. */
export function AccountFrame({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <Frame $width="narrow">
      <h1>{title}</h1>
      {lead && <Lead>{lead}</Lead>}
      {children}
    </Frame>
  )
}

/** The result of a form, shown in its place. Moves the focus there, as a new page would. */
export function Outcome(frame: ComponentProps<typeof AccountFrame>) {
  useEffect(() => document.getElementById('main')?.focus({ preventScroll: true }), [])
  return <AccountFrame {...frame} />
}

const Frame = styled(Container)`
  display: grid;
  gap: ${space[5]};
`

const Lead = styled.p`
  color: ${color.textQuiet};
`

export const Aside = styled.p`
  color: ${color.textQuiet};
  a {
    color: ${color.text};
  }
`
