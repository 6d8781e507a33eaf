import { Outlet } from 'react-router-dom'
import { styled } from 'styled-components'
import { space } from '../theme/tokens.ts'
import { Container } from '../ui/Container.tsx'

/** What the pages behind /admin share besides their header, AdminHeader.tsx. */
export function AdminLayout() {
  return (
    <Frame>
      <Outlet />
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
