import { styled } from 'styled-components'
import { useLogOut } from '../account/log-out.ts'
import { may } from '../account/may.ts'
import type { UserInfo } from '../account/session.ts'
import { paths } from '../paths.ts'
import { below, from } from '../theme/tokens.ts'
import { UserIcon } from '../ui/icons.tsx'
import { Link } from '../ui/Link.tsx'
import { Menu } from '../ui/Menu.tsx'
import { visuallyHidden } from '../ui/VisuallyHidden.tsx'

/** The Admin dropdown, for administrators only, and the one under the user's name. */
export default function AccountMenus({ session }: { session: UserInfo }) {
  const logOut = useLogOut()
  return (
    <>
      {session.isAdmin && <Menu label="Admin" items={shortcutsOf(session)} />}
      <Menu
        label={
          <>
            <Face>
              <UserIcon size={22} />
            </Face>
            <Name>{session.name}</Name>
          </>
        }
        items={[
          { label: 'Stash', link: <Link to={paths.stash()} /> },
          { label: 'Profile', link: <Link to={paths.profile()} /> },
          { label: 'Logout', onSelect: () => void logOut() },
        ]}
      />
    </>
  )
}

/** The three rooms that are opened most, of those the user may open; otherwise the way to the others. */
function shortcutsOf(session: UserInfo) {
  const shortcuts = [
    { label: 'Users', to: paths.adminUsers(), needs: 'READ_CUSTOMERS' as const },
    { label: 'Products', to: paths.adminProducts(), needs: 'WRITE_PRODUCTS' as const },
    { label: 'Orders', to: paths.adminOrders(), needs: 'READ_ORDERS' as const },
  ].filter(({ needs }) => may(session, needs))
  return (shortcuts.length > 0 ? shortcuts : [{ label: 'All sections', to: paths.admin() }]).map(({ label, to }) => ({
    label,
    link: <Link to={to} />,
  }))
}

// Phones and tablets have no room for a name beside the Admin dropdown.
const Face = styled.span`
  display: inline-flex;
  ${from.desktop} {
    display: none;
  }
`
const Name = styled.span`
  max-width: 10rem;
  overflow: hidden;
  text-overflow: ellipsis;
  ${below.desktop} {
    ${visuallyHidden}
  }
`
