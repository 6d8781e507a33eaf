import { lazy, type ReactNode } from 'react'
import { styled } from 'styled-components'
import type { CheckoutStep } from '../checkout/checkout-step.ts'
import { depth } from '../theme/z-index.ts'
import { color, font, size, space, weight } from '../theme/tokens.ts'
import { Part } from '../ui/Part.tsx'
import { Footer } from './Footer.tsx'
import { CheckoutHeader } from './CheckoutHeader.tsx'
import { Header } from './Header.tsx'

// Shoppers never load it.
const AdminHeader = lazy(() => import('../admin/AdminHeader.tsx'))
// Most days there is nothing to say.
const AnnouncementBar = lazy(() => import('../announcement/AnnouncementBar.tsx'))

interface ShopLayoutProps {
  /** The page's step in the checkout. In the checkout, header and footer have no links that lead elsewhere. */
  checkout?: CheckoutStep | null
  /** An admin page, which needs none of the shop's navigation. */
  isAdmin?: boolean
  /** What is said above the header. */
  announcement?: { text: string; link: string | null } | null
  children: ReactNode
}

/** Header, page, footer. The same for everybody until the browser knows who is signed in. */
export function ShopLayout({ checkout = null, isAdmin = false, announcement, children }: ShopLayoutProps) {
  return (
    <Page>
      <SkipLink href="#main">Skip to content</SkipLink>
      {isAdmin ? (
        <Part fallback={<AdminBar />}>
          <AdminHeader />
        </Part>
      ) : checkout ? (
        <CheckoutHeader step={checkout} />
      ) : (
        <>
          {announcement && (
            <Part>
              <AnnouncementBar {...announcement} />
            </Part>
          )}
          <Header />
        </>
      )}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      {!checkout && !isAdmin && <Footer />}
    </Page>
  )
}

/** As high as the header that is loading. */
const AdminBar = styled.div`
  min-height: 3.5rem;
`

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
