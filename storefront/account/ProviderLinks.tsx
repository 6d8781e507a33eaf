import { useSuspenseQuery } from '@apollo/client/react'
import { styled } from 'styled-components'
import { ShopDocument } from '../app/Shop.gql.ts'
import { paths } from '../paths.ts'
import { color, size, space } from '../theme/tokens.ts'
import { LinkButton } from '../ui/LinkButton.tsx'
import { providerNames } from './provider-names.ts'
import { ProviderMark } from './ProviderMark.tsx'

interface ProviderLinksProps {
  redirect?: string | undefined
  /** Continues in another tab, and leaves this page as it is. */
  inNewTab?: boolean
}

/** Other ways to sign in than a password; nothing when the shop has none. */
export default function ProviderLinks({ redirect, inNewTab = false }: ProviderLinksProps) {
  const { signInProviders } = useSuspenseQuery(ShopDocument).data.shop
  if (signInProviders.length === 0) return null
  return (
    <Ways>
      <Or>or</Or>
      {signInProviders.map(provider => (
        <LinkButton
          key={provider}
          href={paths.provider(provider, redirect)}
          $variant="quiet"
          $wide
          rel="nofollow"
          {...(inNewTab && { target: '_blank' })}
        >
          <ProviderMark provider={provider} />
          Continue with {providerNames[provider]}
        </LinkButton>
      ))}
    </Ways>
  )
}

const Ways = styled.div`
  display: grid;
  gap: ${space[3]};
`

const Or = styled.p`
  display: flex;
  align-items: center;
  gap: ${space[3]};
  color: ${color.textQuiet};
  font-size: ${size.sm};
  &::before,
  &::after {
    content: '';
    flex: 1;
    border-top: 1px solid ${color.line};
  }
`
