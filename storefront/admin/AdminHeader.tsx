import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { styled } from 'styled-components'
import { useSession } from '../account/session.ts'
import { SignedIn } from '../app/Header.tsx'
import { Logo } from '../app/Logo.tsx'
import { ThemeToggle } from '../app/ThemeToggle.tsx'
import { color, control, from, size, space, weight } from '../theme/tokens.ts'
import { Container } from '../ui/Container.tsx'
import { Link } from '../ui/Link.tsx'
import { isAt, isIn, roomsOf } from './rooms.ts'

/** Replaces the shop's header: the sections of the admin, with the open one marked. The logo leads to the shop. */
export default function AdminHeader() {
  const session = useSession()
  const { pathname } = useLocation()
  const nav = useRef<HTMLElement>(null)
  // Narrow windows show only a part of the row: this scrolls it to the open section.
  useEffect(() => {
    const row = nav.current
    const open = row?.querySelector<HTMLElement>('a.open')
    if (row && open) row.scrollLeft = open.offsetLeft - (row.clientWidth - open.offsetWidth) / 2
  })
  return (
    <Bar data-print="hide">
      <Row>
        <Logo />
        {session?.isAdmin && (
          <Navigation ref={nav} aria-label="Admin">
            <ul>
              {roomsOf(session).map(room => (
                <li key={room.to}>
                  <Link
                    to={room.to}
                    aria-current={isAt(room, pathname) ? 'page' : undefined}
                    className={isIn(room, pathname) ? 'open' : undefined}
                  >
                    {room.label}
                  </Link>
                </li>
              ))}
            </ul>
          </Navigation>
        )}
        <Actions aria-label="Your account">
          {session && <SignedIn session={session} />}
          <ThemeToggle />
        </Actions>
      </Row>
    </Bar>
  )
}

const Bar = styled.header`
  border-bottom: 1px solid ${color.line};
`
const Row = styled(Container)`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  column-gap: ${space[2]};
  ${from.wide} {
    display: grid;
    column-gap: ${space[5]};
    grid-template: 'brand rooms actions' auto / auto minmax(0, 1fr) auto;
  }
`
const Actions = styled.nav`
  grid-area: actions;
  margin-left: auto;
  display: flex;
  align-items: center;
  margin-right: -${space[2]};
`
const Navigation = styled.nav`
  grid-area: rooms;
  order: 1;
  flex: 1 0 100%;
  position: relative;
  min-width: 0;
  overflow-x: auto;
  scrollbar-width: none;
  ul {
    display: flex;
    gap: ${space[4]};
    padding: 0;
    list-style: none;
  }
  a {
    display: inline-flex;
    align-items: center;
    min-height: ${control.md};
    border-bottom: 2px solid transparent;
    font-size: ${size.sm};
    color: ${color.textQuiet};
    white-space: nowrap;
    text-decoration: none;
    outline-offset: -2px;
    &:hover {
      color: ${color.text};
    }
    &.open {
      border-color: ${color.text};
      color: ${color.text};
      font-weight: ${weight.strong};
    }
  }
  ${from.wide} {
    a {
      min-height: 3.5rem;
    }
  }
`
