import { styled } from 'styled-components'
import { Ago } from '../../admin/rows.tsx'
import { paths } from '../../paths.ts'
import { color, from, size, space } from '../../theme/tokens.ts'
import { formatDay, formatMoment } from '../../ui/dates.ts'
import { Link } from '../../ui/Link.tsx'
import { TextButton } from '../../ui/TextButton.tsx'
import { eventsInWords } from './events.ts'
import type { AdminWebhookFragment } from './Webhooks.gql.ts'

/** A webhook's address, its events, the latest outcomes, and its secret. */
export function WebhookFacts({ webhook, onRotate }: { webhook: AdminWebhookFragment; onRotate: () => void }) {
  return (
    <Facts>
      <div>
        <dt>Address</dt>
        <dd>{webhook.url}</dd>
      </div>
      <div>
        <dt>Hears of</dt>
        <dd>
          {eventsInWords(webhook.events)}
          {webhook.skus.length > 0 && <small>Only of {webhook.skus.join(', ')}</small>}
          {webhook.tags.length > 0 && <small>Only with the tag {webhook.tags.join(' or ')}</small>}
        </dd>
      </div>
      <div>
        <dt>Last delivered</dt>
        <dd>{webhook.lastSuccessAt ? <Ago at={webhook.lastSuccessAt} /> : 'Never'}</dd>
      </div>
      <div>
        <dt>Last failed</dt>
        <dd>
          {webhook.lastFailureAt ? <Ago at={webhook.lastFailureAt} /> : 'Never'}
          {webhook.lastFailure && <small>{webhook.lastFailure}</small>}
        </dd>
      </div>
      <div>
        <dt>Signing secret</dt>
        <dd>
          whsec_… <TextButton onClick={onRotate}>Rotate …</TextButton>
          {webhook.previousSecretUntil && (
            <small>The one before signs along until {formatMoment(webhook.previousSecretUntil)}.</small>
          )}
        </dd>
      </div>
      <div>
        <dt>Added</dt>
        <dd>
          {formatDay(webhook.createdAt)} by{' '}
          <Link to={paths.adminUser(webhook.createdBy.id)}>{webhook.createdBy.name}</Link>
        </dd>
      </div>
    </Facts>
  )
}

const Facts = styled.dl`
  display: grid;
  gap: ${space[4]} ${space[6]};
  padding: ${space[4]};
  background: ${color.band};
  font-size: ${size.sm};
  line-height: 1.4;
  ${from.tablet} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
  ${from.desktop} {
    grid-template-columns: repeat(3, minmax(0, 1fr));
  }
  dt {
    font-size: ${size.xs};
    color: ${color.textQuiet};
  }
  dd {
    margin: 0;
    overflow-wrap: anywhere;
  }
  small {
    display: block;
    font-size: ${size.xs};
    color: ${color.textQuiet};
  }
`
