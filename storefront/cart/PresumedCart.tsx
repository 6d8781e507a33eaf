import type { ReactNode } from 'react'
import { styled } from 'styled-components'
import { useHydrated } from '../data/stored.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { opensFull } from './presumed.ts'

/** Contents for the empty cart that the server shows. An outline replaces them where the browser's own cart is not empty (presumed.ts). */
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
