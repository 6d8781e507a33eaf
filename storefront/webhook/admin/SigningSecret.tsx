import { ShownOnce } from '../../partner/admin/ShownOnce.tsx'

/** The one time a webhook's secret is shown. */
export function SigningSecret({ secret, url, onClose }: { secret: string; url: string; onClose: () => void }) {
  return (
    <ShownOnce
      title="The signing secret"
      label="Signing secret"
      secret={secret}
      warning={`Give it to the partner now: it is never shown again. With it, they know that a request to ${new URL(url).host} comes from this shop.`}
      example={{
        label: 'Check a request in JavaScript',
        text: `import { Webhook } from 'standardwebhooks'\n\nconst webhook = new Webhook(\n  '${secret}',\n)\nwebhook.verify(body, headers)`,
      }}
      otherwise="Without it the partner cannot check requests, and you would have to make a new one."
      onClose={onClose}
    />
  )
}
