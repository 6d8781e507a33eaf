import type { ReactNode } from 'react'
import { styled } from 'styled-components'
import { useHydrated } from '../data/stored.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { opensFull } from './presumed.ts'

/** What holds for the empty cart that the server shows; its outline where the browser is about to show another. */
export function PresumedCart({ children }: { children: ReactNode }) {
  const hydrated = useHydrated()
  return (
    <>
      {!hydrated && (
        <Outline aria-busy="true">
          <Skeleton $height="8rem" />
        </Outline>
      )}
      <Contents data-presumed={!hydrated || undefined}>{children}</Contents>
    </>
  )
}

const Outline = styled.div`
  display: none;
  ${opensFull} {
    display: block;
  }
`
const Contents = styled.div`
  display: contents;
  ${opensFull}[data-presumed] {
    display: none;
  }
`
