import { Navigate, Outlet, useLocation } from 'react-router-dom'
import { styled } from 'styled-components'
import { may } from '../account/may.ts'
import { useSignedIn } from '../account/session.ts'
import { paths } from '../paths.ts'
import { space } from '../theme/tokens.ts'
import { Container } from '../ui/Container.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Link } from '../ui/Link.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { AdminPage } from './AdminPage.tsx'
import { neededAt, roomsOf } from './rooms.ts'

/** What the pages behind /admin share besides their header, AdminHeader.tsx: only who may see one gets it. */
export function AdminLayout() {
  const user = useSignedIn()
  const { pathname } = useLocation()
  const needed = neededAt(pathname)
  const [first] = roomsOf(user)
  if (needed === undefined || may(user, needed))
    return (
      <Frame>
        <Outlet />
      </Frame>
    )
  if (pathname === paths.admin() && first) return <Navigate to={first.to} replace />
  return (
    <Frame>
      <AdminPage title="Admin">
        <EmptyState
          title="This page is not for your account"
          action={
            first && (
              <LinkButton as={Link} to={first.to}>
                {first.label}
              </LinkButton>
            )
          }
        >
          <p>An administrator who may do everything can change what you may do, under Users.</p>
        </EmptyState>
      </AdminPage>
    </Frame>
  )
}

// An admin page should show its first row without scrolling.
const Frame = styled(Container)`
  margin-top: -${space[3]};
  @media print {
    margin-top: 0;
  }
`
