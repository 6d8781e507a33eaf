import type { ReactNode } from 'react'
import { styled } from 'styled-components'
import { depth } from '../theme/z-index.ts'
import { color, font, size, space, weight } from '../theme/tokens.ts'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'

/** Header, page, footer. The same for every visitor until the browser knows who is there. */
export function ShopLayout({ children }: { children: ReactNode }) {
  return (
    <Page>
      <SkipLink href="#main">Skip to content</SkipLink>
      <Header />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Footer />
    </Page>
  )
}

const Page = styled.div`
  display: flex;
  flex-direction: column;
  min-height: 100vh;
  min-height: 100dvh;
  isolation: isolate;
  main {
    flex: 1;
    padding-block: ${space[5]} ${space[8]};
  }
`
const SkipLink = styled.a`
  position: absolute;
  left: ${space[3]};
  top: ${space[3]};
  z-index: ${depth.skipLink};
  padding: ${space[3]} ${space[4]};
  background: ${color.text};
  color: ${color.ground};
  font: ${weight.strong} ${size.md} / 1 ${font.sans};
  translate: 0 -200%;
  &:focus {
    translate: 0 0;
  }
`
