import { lazy } from 'react'
import { useNavigation } from 'react-router-dom'
import { keyframes, styled } from 'styled-components'
import { type UserInfo, useSession } from '../account/session.ts'
import { unitsOf, useCart } from '../cart/cart.ts'
import { useHydrated } from '../data/stored.ts'
import { paths } from '../paths.ts'
import { depth } from '../theme/z-index.ts'
import { below, color, control, from, radius, size, space, weight } from '../theme/tokens.ts'
import { Container } from '../ui/Container.tsx'
import { CountMark, iconButtonLook } from '../ui/IconButton.tsx'
import { BasketIcon, UserIcon } from '../ui/icons.tsx'
import { Link } from '../ui/Link.tsx'
import { MenuTrigger } from '../ui/MenuTrigger.tsx'
import { Part } from '../ui/Part.tsx'
import { VisuallyHidden, visuallyHidden } from '../ui/VisuallyHidden.tsx'
import { Logo } from './Logo.tsx'
import { SearchBox } from './SearchBox.tsx'
import { MenuButton, ShopMenu } from './ShopMenu.tsx'
import { ThemeToggle } from './ThemeToggle.tsx'

// Only signed-in users have menus; visitors do not download them.
const AccountMenus = lazy(() => import('./AccountMenus.tsx'))
const StashLink = lazy(() => import('../stash/StashLink.tsx'))

export function Header() {
  const session = useSession()
  const loading = useNavigation().state !== 'idle'
  return (
    <Bar data-print="hide">
      <Row>
        <Start>
          <MenuButton />
          <Logo />
        </Start>
        <Search>
          <SearchBox />
        </Search>
        <Actions aria-label="Your account and cart">
          {session ? (
            <SignedIn session={session} />
          ) : (
            <SignIn to={paths.login()}>
              <UserIcon size={22} />
              <span>Sign In</span>
            </SignIn>
          )}
          <ThemeToggle />
          {session && (
            <Stash $yields={session.isAdmin}>
              <Part>
                <StashLink />
              </Part>
            </Stash>
          )}
          <CartLink />
        </Actions>
      </Row>
      <ShopMenu />
      <Line aria-hidden="true" data-loading={loading || undefined} />
    </Bar>
  )
}

/** Who is signed in, and the menus they may use. */
export function SignedIn({ session }: { session: UserInfo }) {
  return (
    <Part fallback={<Waiting disabled>{session.name}</Waiting>}>
      <AccountMenus session={session} />
    </Part>
  )
}

function CartLink() {
  const units = unitsOf(useCart())
  const isKnown = useHydrated()
  return (
    <CartIconLink to={paths.cart()} title="Cart">
      <BasketIcon />
      <VisuallyHidden>Cart{isKnown && `, ${units === 1 ? '1 item' : `${units} items`}`}</VisuallyHidden>
      {units > 0 && <CountMark aria-hidden="true">{units}</CountMark>}
    </CartIconLink>
  )
}

const Bar = styled.header`
  position: relative;
`
const Row = styled(Container)`
  display: flex;
  /* With a large font the icons wrap below the logo instead of leaving the window. */
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  padding-block: ${space[2]} ${space[3]};
  ${from.tablet} {
    display: grid;
    grid-template: 'brand search actions' auto / 1fr minmax(12rem, 30rem) 1fr;
    column-gap: ${space[5]};
    padding-block: ${space[4]};
  }
  ${from.desktop} {
    padding-bottom: ${space[1]};
  }
`
const Start = styled.div`
  grid-area: brand;
  display: flex;
  align-items: center;
  gap: ${space[1]};
`
const Search = styled.div`
  grid-area: search;
  order: 1;
  flex: 1 0 100%;
`
const Actions = styled.nav`
  grid-area: actions;
  justify-self: end;
  margin-left: auto;
  display: flex;
  align-items: center;
  gap: ${space[1]};
  margin-right: -${space[2]};
  ${below.tablet} {
    gap: 0;
  }
  ${below.desktop} {
    /* The arrows of the menus: phones and tablets have no room for them. */
    button[aria-haspopup] > svg {
      display: none;
    }
  }
`
const SignIn = styled(Link)`
  display: inline-flex;
  align-items: center;
  justify-content: center;
  gap: ${space[2]};
  min-height: ${control.md};
  min-width: ${control.md};
  padding-inline: ${space[2]};
  border-radius: ${radius.md};
  font-size: ${size.sm};
  font-weight: ${weight.strong};
  white-space: nowrap;
  text-decoration: none;
  &:hover {
    background: ${color.band};
  }
  ${below.tablet} {
    span {
      ${visuallyHidden}
    }
  }
`
// Keeps the menu's space while it loads; on phones and tablets, the space of an icon.
const Waiting = styled(MenuTrigger)`
  ${below.desktop} {
    width: ${control.md};
    overflow: hidden;
    color: transparent;
  }
`
/** The space of the heart, also while it loads. Phones and tablets have no room for it beside the Admin dropdown, but the menu has the same link. */
const Stash = styled.span<{ $yields: boolean }>`
  min-width: ${control.md};
  ${below.desktop} {
    ${({ $yields }) => $yields && 'display: none;'}
  }
`
const CartIconLink = styled(Link)<{ $size?: 'sm' | 'md' }>`
  ${iconButtonLook}
`

const pull = keyframes`
  from { scale: 0 1; }
  to { scale: 0.9 1; }
`
/** The strand under the header; while a page loads, a coloured one moves along the top of the window. */
const Line = styled.div`
  height: 1px;
  background: ${color.line};
  &[data-loading]::after {
    content: '';
    position: fixed;
    inset: 0 0 auto;
    z-index: ${depth.header};
    height: 3px;
    background: ${color.accent};
    transform-origin: 0 0;
    animation: ${pull} 4s cubic-bezier(0.1, 0.8, 0.3, 1) 150ms both;
  }
`
