import { useLocation } from 'react-router-dom'
import { styled } from 'styled-components'
import { Ago } from '../../admin/rows.tsx'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import type { WebhookDeliveryState } from '../../generated/types.ts'
import { formatAgo, formatInstant } from '../../ui/dates.ts'
import { color, control, font, from, size, space, weight } from '../../theme/tokens.ts'
import { notify } from '../../ui/toast.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { CopyBox } from '../../ui/CopyBox.tsx'
import { Link } from '../../ui/Link.tsx'
import { ChevronRightIcon } from '../../ui/page-icons.tsx'
import { eventName } from './events.ts'
import { type AdminDeliveryFragment, ReplayDeliveryDocument } from './Webhooks.gql.ts'

export const stateWords: Record<WebhookDeliveryState, string> = {
  PENDING: 'Pending',
  DELIVERED: 'Delivered',
  FAILED: 'Failed',
}
export const deliveryStates = Object.keys(stateWords) as WebhookDeliveryState[]

const SOON_MS = 60_000

/** Whether its next attempt is due within a minute. */
export const isDueSoon = ({ nextAttemptAt }: AdminDeliveryFragment) =>
  nextAttemptAt != null && Date.parse(nextAttemptAt) - Date.now() < SOON_MS

interface DeliveriesProps {
  deliveries: readonly AdminDeliveryFragment[]
  /** Whether the webhook is enabled. */
  enabled: boolean
  stale: boolean
}

/** What was sent, newest first. The address says which one is open. */
export function Deliveries({ deliveries, enabled, stale }: DeliveriesProps) {
  const { pathname, search } = useLocation()
  const params = new URLSearchParams(search)
  const open = params.get('delivery')
  const toggle = (id: string) => {
    const next = new URLSearchParams(params)
    if (id === open) next.delete('delivery')
    else next.set('delivery', id)
    return `${pathname}?${next.toString()}`
  }
  return (
    <Log aria-busy={stale || undefined}>
      {deliveries.map(delivery => {
        const isOpen = delivery.id === open
        return (
          <li key={delivery.id}>
            <Line to={toggle(delivery.id)} replace preventScrollReset aria-expanded={isOpen}>
              <ChevronRightIcon size={16} />
              <strong>{eventName(delivery.type)}</strong>
              <Ago at={delivery.createdAt} />
              <DeliveryState delivery={delivery} />
              <Outcome>{outcomeOf(delivery)}</Outcome>
            </Line>
            {isOpen && <Detail delivery={delivery} enabled={enabled} />}
          </li>
        )
      })}
    </Log>
  )
}

function DeliveryState({ delivery: { state, attempts } }: { delivery: AdminDeliveryFragment }) {
  if (state === 'FAILED') return <Badge $variant="danger">Failed</Badge>
  if (state === 'PENDING')
    return attempts.length > 0 ? <Badge $variant="warning">Trying again</Badge> : <Badge>Pending</Badge>
  return <Badge>Delivered</Badge>
}

/** Whether its attempt is due now; the shop makes it within seconds. */
const isOverdue = (instant: string) => Date.parse(instant) <= Date.now()

function outcomeOf({ attempts, nextAttemptAt }: AdminDeliveryFragment) {
  const last = attempts.at(-1)
  return (
    <>
      {last ? (last.error ?? `${last.status} after ${last.durationMs} ms`) : 'Not sent yet'}
      {nextAttemptAt && last && (
        <>
          {' '}
          Next try{' '}
          <time dateTime={nextAttemptAt} title={formatInstant(nextAttemptAt)}>
            {isOverdue(nextAttemptAt) ? 'now' : formatAgo(nextAttemptAt)}
          </time>
          .
        </>
      )}
    </>
  )
}

function Detail({ delivery, enabled }: { delivery: AdminDeliveryFragment; enabled: boolean }) {
  const { id, type, eventId, attempts, nextAttemptAt, requestBody } = delivery
  const [replay, { loading }] = useShopMutation(ReplayDeliveryDocument)

  async function send() {
    const payload = await replay({ id })
    if (payload) notify.success('Sent again. The answer appears here.')
  }

  return (
    <Parts>
      <Top>
        <dl>
          <div>
            <dt>Type</dt> <dd>{type}</dd>
          </div>
          <div>
            <dt>Event</dt> <dd>{eventId}</dd>
          </div>
          {nextAttemptAt && (
            <div>
              <dt>Next try</dt> <dd>{formatInstant(nextAttemptAt)}</dd>
            </div>
          )}
        </dl>
        <Button
          size="sm"
          variant="quiet"
          loading={loading}
          disabledReason={enabled ? null : 'The webhook is paused.'}
          onClick={() => void send()}
        >
          Replay
        </Button>
      </Top>
      {attempts.length > 0 && (
        <section>
          <h3>{attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`}</h3>
          <Attempts>
            {attempts.toReversed().map(({ at, status, durationMs, error, responseExcerpt }) => (
              <li key={at}>
                <p>
                  <time dateTime={at}>{formatInstant(at)}</time>
                  <strong>{status ?? 'No answer'}</strong>
                  <span>{durationMs.toLocaleString('en-US')} ms</span>
                  {error && <em>{error}</em>}
                </p>
                {responseExcerpt && <pre aria-label="Answer">{responseExcerpt}</pre>}
              </li>
            ))}
          </Attempts>
        </section>
      )}
      <CopyBox label="Request body" text={pretty(requestBody)} />
    </Parts>
  )
}

const pretty = (json: string) => JSON.stringify(JSON.parse(json), null, 2)

const Log = styled.ol`
  padding: 0;
  list-style: none;
  border-top: 1px solid ${color.lineStrong};
  font-size: ${size.sm};
  line-height: 1.35;
  &[aria-busy] {
    opacity: 0.6;
  }
  > li {
    border-bottom: 1px solid ${color.line};
  }
`
const Line = styled(Link)`
  display: grid;
  grid-template-columns: auto 1fr auto;
  align-items: center;
  gap: ${space[1]} ${space[3]};
  min-height: ${control.lg};
  padding-block: ${space[2]};
  text-decoration: none;
  outline-offset: -2px;
  strong {
    font-weight: ${weight.strong};
  }
  > time {
    color: ${color.textQuiet};
  }
  > ${Badge} {
    grid-column: 2;
    justify-self: start;
  }
  svg {
    color: ${color.textQuiet};
  }
  &[aria-expanded='true'] > svg {
    rotate: 90deg;
  }
  @media (hover: hover) {
    &:hover {
      background: ${color.band};
    }
  }
  ${from.tablet} {
    grid-template-columns: auto 10rem 9rem 7rem minmax(0, 1fr);
    > ${Badge} {
      grid-column: auto;
    }
  }
`
const Outcome = styled.span`
  grid-column: 2 / -1;
  color: ${color.textQuiet};
  overflow-wrap: anywhere;
  ${from.tablet} {
    grid-column: auto;
  }
`
const Parts = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[4]};
  padding: ${space[2]} 0 ${space[5]};
  ${from.tablet} {
    padding-left: 1.75rem;
  }
  h3 {
    margin-bottom: ${space[2]};
    font: ${weight.strong} ${size.sm} / 1.3 ${font.sans};
  }
`
const Top = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: ${space[3]};
  dl {
    display: flex;
    flex-wrap: wrap;
    gap: ${space[1]} ${space[5]};
  }
  dl > div {
    display: flex;
    gap: ${space[2]};
  }
  dt {
    color: ${color.textQuiet};
  }
  dd {
    margin: 0;
    overflow-wrap: anywhere;
  }
`
const Attempts = styled.ol`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[3]};
  padding: 0;
  list-style: none;
  p {
    display: flex;
    flex-wrap: wrap;
    gap: ${space[1]} ${space[4]};
    font-variant-numeric: lining-nums tabular-nums;
  }
  time,
  span {
    color: ${color.textQuiet};
  }
  em {
    font-style: normal;
    color: ${color.danger};
  }
  pre {
    margin-top: ${space[1]};
    padding-left: ${space[3]};
    border-left: 2px solid ${color.line};
    font: ${size.xs} / 1.5 ${font.mono};
    color: ${color.textQuiet};
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
`
