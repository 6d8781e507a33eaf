import { Link } from 'react-router-dom'
import { styled } from 'styled-components'
import { useLogOut } from '../account/log-out.ts'
import type { UserInfo } from '../account/session.ts'
import { paths } from '../paths.ts'
import { below } from '../theme/tokens.ts'
import { Menu } from '../ui/Menu.tsx'

/** The Admin dropdown, for administrators only, and the one under the user's name. */
export default function AccountMenus({ session }: { session: UserInfo }) {
  const logOut = useLogOut()
  return (
    <>
      {session.isAdmin && (
        <Menu
          label="Admin"
          items={[
            { label: 'Users', link: <Link to={paths.adminUsers()} /> },
            { label: 'Products', link: <Link to={paths.adminProducts()} /> },
            { label: 'Orders', link: <Link to={paths.adminOrders()} /> },
          ]}
        />
      )}
      <Menu
        label={<Name>{session.name}</Name>}
        items={[
          { label: 'Profile', link: <Link to={paths.profile()} /> },
          { label: 'Logout', onSelect: () => void logOut() },
        ]}
      />
    </>
  )
}

const Name = styled.span`
  max-width: 10rem;
  overflow: hidden;
  text-overflow: ellipsis;
  ${below.tablet} {
    max-width: 4.5rem;
  }
`
