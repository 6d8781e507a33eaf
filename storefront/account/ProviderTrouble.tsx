import { useSearchParams } from 'react-router-dom'
import { Notice } from '../ui/Notice.tsx'
import { type Provider, providerNames } from './provider-names.ts'

/** Why signing in with a provider did not work. */
export default function ProviderTrouble() {
  const [, trouble, provider] =
    /^(failed|no-answer)-(apple|google)$/.exec(useSearchParams()[0].get('trouble') ?? '') ?? []
  if (!provider) return null
  const name = providerNames[provider.toUpperCase() as Provider]
  return (
    <Notice variant="warning">
      {trouble === 'failed'
        ? `Signing in with ${name} did not work, or took too long. Please try once more.`
        : `${name} does not answer at the moment. Please try again in a few minutes, or use your password.`}
    </Notice>
  )
}
