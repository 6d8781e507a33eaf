import { styled } from 'styled-components'
import { Ago, TwoLines } from '../../admin/rows.tsx'
import { paths } from '../../paths.ts'
import { from, space, weight } from '../../theme/tokens.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Cluster } from '../../ui/Cluster.tsx'
import { formatDay } from '../../ui/dates.ts'
import { Link } from '../../ui/Link.tsx'
import type { Column } from '../../ui/table-column.ts'
import type { AdminApiKeyFragment } from './ApiKeys.gql.ts'
import { KeyStart } from './KeyStart.tsx'
import { KeyUsage } from './KeyUsage.tsx'
import { scopeMeaning, scopeWords } from './scopes.ts'

export function keyColumns({
  onRotate,
  onRevoke,
}: Record<'onRotate' | 'onRevoke', (apiKey: AdminApiKeyFragment) => void>): Column<AdminApiKeyFragment>[] {
  return [
    {
      id: 'NAME',
      header: 'Name',
      lead: true,
      cell: key => <KeyName apiKey={key} />,
    },
    {
      id: 'SCOPES',
      header: 'May do',
      wide: true,
      width: '24%',
      cell: key => <Scopes apiKey={key} />,
    },
    {
      id: 'ACCOUNT',
      header: 'Acts for',
      minor: true,
      width: '22%',
      cell: ({ account }) => (
        <TwoLines>
          <Link to={paths.adminUser(account.id)}>{account.name}</Link>
          <small>{account.email}</small>
        </TwoLines>
      ),
    },
    {
      id: 'USED',
      header: 'Last used',
      width: '10.5rem',
      cell: key => <Used apiKey={key} />,
    },
    {
      id: 'USAGE',
      header: 'Last 14 days',
      width: '9rem',
      cell: key => <KeyUsage apiKey={key} />,
    },
    {
      id: 'STATE',
      header: 'State',
      width: '7.5rem',
      cell: stateOf,
    },
    {
      id: 'ACTIONS',
      header: 'Actions',
      hideHeader: true,
      numeric: true,
      width: '8.5rem',
      cell: key =>
        !key.revokedAt && (
          <Cluster>
            <Button size="sm" variant="quiet" aria-label={`New secret for ${key.name}`} onClick={() => onRotate(key)}>
              New secret …
            </Button>
            <Button size="sm" variant="quiet" aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
              Revoke …
            </Button>
          </Cluster>
        ),
    },
  ]
}

interface OfKey {
  apiKey: AdminApiKeyFragment
}

const KeyName = ({ apiKey: { name, start, allowedAddresses } }: OfKey) => (
  <Name>
    <strong>{name}</strong>
    <KeyStart>{start}…</KeyStart>
    {allowedAddresses.length > 0 && <small>From {allowedAddresses.join(', ')}</small>}
  </Name>
)

const Scopes = ({ apiKey: { scopes, account } }: OfKey) => (
  <ScopeList>
    {scopes.map(scope => (
      <li key={scope}>
        <Badge $variant={scope === 'ADMIN' ? 'warning' : 'plain'} title={`${scope}: ${scopeMeaning(scope, account)}`}>
          {scopeWords[scope]}
        </Badge>
      </li>
    ))}
  </ScopeList>
)

const Used = ({ apiKey: { lastUsedAt, createdAt } }: OfKey) => (
  <Days>
    {lastUsedAt ? <Ago at={lastUsedAt} /> : 'Never'}
    <small>
      Created <time dateTime={createdAt}>{formatDay(createdAt)}</time>
    </small>
  </Days>
)

/** Whether the key still works, and until when. */
function stateOf({ revokedAt, expiresAt, formerUntil }: AdminApiKeyFragment) {
  if (revokedAt)
    return (
      <Days>
        Revoked <small>{formatDay(revokedAt)}</small>
      </Days>
    )
  if (expiresAt && new Date(expiresAt) <= new Date())
    return (
      <Days>
        Ended <small>{formatDay(expiresAt)}</small>
      </Days>
    )
  return (
    <TwoLines>
      <Badge>Active</Badge>
      {expiresAt && <small>Until {formatDay(expiresAt)}</small>}
      {formerUntil && new Date(formerUntil) > new Date() && <small>Old secret until {formatDay(formerUntil)}</small>}
    </TwoLines>
  )
}

const Name = styled(TwoLines)`
  ${from.tablet} {
    min-width: 10rem;
  }
  strong {
    font-weight: ${weight.strong};
  }
`
const Days = styled(TwoLines)`
  white-space: nowrap;
`
const ScopeList = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: ${space[1]};
  padding: 0;
  list-style: none;
`
