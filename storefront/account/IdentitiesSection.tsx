import { useQuery, useSuspenseQuery } from '@apollo/client/react'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { styled } from 'styled-components'
import { ShopDocument } from '../app/Shop.gql.ts'
import { messageOf } from '../data/errors.ts'
import { type OnRefused, useShopMutation } from '../data/use-shop-mutation.ts'
import { paths } from '../paths.ts'
import { color, space } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { notify } from '../ui/toast.ts'
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx'
import {
  LinkIdentityDocument,
  OwnIdentitiesDocument,
  type OwnIdentitiesQuery,
  UnlinkIdentityDocument,
} from './IdentitiesSection.gql.ts'
import { type Proof, ProofDialog } from './ProofDialog.tsx'
import { type Provider, providerNames } from './provider-names.ts'
import { ProviderMark } from './ProviderMark.tsx'
import ProviderTrouble from './ProviderTrouble.tsx'
import { takeTicket } from './take-ticket.ts'

type Identity = NonNullable<OwnIdentitiesQuery['viewer']>['identities'][number]

/** Where people choose which Apple and Google accounts can sign in to theirs. */
export default function IdentitiesSection() {
  const { signInProviders } = useSuspenseQuery(ShopDocument).data.shop
  const { data, error, loading, refetch } = useQuery(OwnIdentitiesDocument, { fetchPolicy: 'cache-and-network' })
  const [leaving, setLeaving] = useState<Identity | null>(null)
  const identities = data?.viewer?.identities
  return (
    <Section aria-labelledby="identities">
      <h2 id="identities">Signing in</h2>
      <ProviderTrouble />
      {!identities && error && (
        <ErrorState onRetry={() => void refetch()} retrying={loading}>
          {messageOf(error)}
        </ErrorState>
      )}
      {!identities && !error && <Skeleton $height="3rem" />}
      {identities && (
        <List>
          {identities.map(identity => (
            <li key={identity.id}>
              <ProviderMark provider={identity.provider} />
              <span>
                {providerNames[identity.provider]}
                {identity.email && <small>{identity.email}</small>}
              </span>
              <Button variant="quiet" onClick={() => setLeaving(identity)}>
                Remove<VisuallyHidden> {providerNames[identity.provider]}</VisuallyHidden>
              </Button>
            </li>
          ))}
          {signInProviders
            .filter(provider => !identities.some(identity => identity.provider === provider))
            .map(provider => (
              <li key={provider}>
                <ProviderMark provider={provider} />
                <span>{providerNames[provider]}</span>
                <LinkButton href={`${paths.provider(provider)}?link=`} $variant="quiet" rel="nofollow">
                  Link {providerNames[provider]}
                </LinkButton>
              </li>
            ))}
        </List>
      )}
      <LinkDialog />
      {leaving && <UnlinkDialog identity={leaving} onClose={() => setLeaving(null)} />}
    </Section>
  )
}

/** Opens when somebody comes back from the provider. */
function LinkDialog() {
  const [search, setSearch] = useSearchParams()
  const came = search.get('link')
  // Coming back loads a new document, so looking once is enough.
  const [open, setOpen] = useState(() => {
    const provider: Provider | null = came === 'apple' ? 'APPLE' : came === 'google' ? 'GOOGLE' : null
    const ticket = provider && takeTicket()
    return ticket ? { provider, ticket } : null
  })
  const [linkIdentity] = useShopMutation(LinkIdentityDocument)
  useEffect(() => {
    if (came !== null) setSearch({}, { replace: true, preventScrollReset: true })
  }, [came, setSearch])
  if (!open) return null
  const name = providerNames[open.provider]

  async function send(proof: Proof, onRefused: OnRefused) {
    if (!open || !(await linkIdentity({ credential: { ticket: open.ticket }, proof }, { onRefused }))) return
    setOpen(null)
    notify.success(`You can sign in with ${name} now.`)
  }

  return (
    <ProofDialog
      title={`Sign in with ${name} from now on?`}
      description="So that nobody else does this, please show that it is you."
      action={`Link ${name}`}
      send={send}
      onOpenChange={isOpen => !isOpen && setOpen(null)}
    />
  )
}

function UnlinkDialog({ identity: { id, provider }, onClose }: { identity: Identity; onClose: () => void }) {
  const name = providerNames[provider]
  const [unlinkIdentity] = useShopMutation(UnlinkIdentityDocument)

  async function send(proof: Proof, onRefused: OnRefused) {
    if (!(await unlinkIdentity({ id, proof }, { onRefused }))) return
    onClose()
    notify.success(`${name} does not open your account any more.`)
  }

  return (
    <ProofDialog
      title={`Remove ${name}?`}
      description={`You then cannot sign in with ${name} any more.`}
      action="Remove"
      send={send}
      onOpenChange={isOpen => !isOpen && onClose()}
    />
  )
}

const Section = styled.section`
  display: grid;
  gap: ${space[4]};
  padding-top: ${space[5]};
  border-top: 1px solid ${color.line};
`

const List = styled.ul`
  display: grid;
  gap: ${space[3]};
  padding: 0;
  list-style: none;
  > li {
    display: flex;
    align-items: center;
    gap: ${space[3]};
  }
  span {
    flex: 1;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  small {
    display: block;
    color: ${color.textQuiet};
  }
`
