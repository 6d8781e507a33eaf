import { useEffect, useRef } from 'react'
import { NavLink, Outlet, useLocation } from 'react-router-dom'
import { styled } from 'styled-components'
import { paths } from '../paths.ts'
import { color, control, size, space, weight } from '../theme/tokens.ts'
import { Container } from '../ui/Container.tsx'

const rooms = [
  { label: 'Dashboard', to: paths.admin(), end: true },
  { label: 'Orders', to: paths.adminOrders() },
  { label: 'Products', to: paths.adminProducts(), also: '/admin/product/' },
  { label: 'Users', to: paths.adminUsers(), also: '/admin/user/' },
  { label: 'Reviews', to: paths.adminReviews() },
  { label: 'Searches', to: paths.adminSearches() },
  { label: 'Codes', to: paths.adminCodes() },
  { label: 'Pages', to: paths.adminPages() },
  { label: 'Partners', to: paths.adminPartners() },
  { label: 'Audit log', to: paths.adminAudit() },
]

/** The rooms behind the counter, and the one that is open. */
export function AdminLayout() {
  // Renders again on every page.
  useLocation()
  const nav = useRef<HTMLElement>(null)
  // Phones show a part of the row: the part with the open room.
  useEffect(() => {
    const row = nav.current
    const open = row?.querySelector<HTMLElement>('a.open')
    if (row && open) row.scrollLeft = open.offsetLeft - (row.clientWidth - open.offsetWidth) / 2
  })
  return (
    <Frame>
      <Navigation ref={nav} aria-label="Admin">
        <ul>
          {rooms.map(({ label, to, end, also }) => (
            <li key={to}>
              <Room to={to} end={end} also={also}>
                {label}
              </Room>
            </li>
          ))}
        </ul>
      </Navigation>
      <Outlet />
    </Frame>
  )
}

/** Also open while a page under `also` is. */
function Room({ also, ...rest }: { to: string; end?: boolean; also?: string; children: string }) {
  return (
    <NavLink
      {...rest}
      className={({ isActive }) => (isActive || (also && location.pathname.startsWith(also)) ? 'open' : undefined)}
    />
  )
}

const Frame = styled(Container)`
  margin-top: -${space[5]};
  @media print {
    margin-top: 0;
  }
`
const Navigation = styled.nav`
  position: relative;
  margin-bottom: ${space[5]};
  border-bottom: 1px solid ${color.line};
  overflow-x: auto;
  scrollbar-width: none;
  ul {
    display: flex;
    gap: ${space[5]};
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
`
