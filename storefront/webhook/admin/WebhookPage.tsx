import { NetworkStatus } from '@apollo/client'
import { useQuery } from '@apollo/client/react'
import { type ReactNode, useEffect, useState } from 'react'
import { useParams } from 'react-router-dom'
import { styled } from 'styled-components'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { NotShown } from '../../admin/NotShown.tsx'
import { linkTo, ListFoot, ListResult, Panel, Toolbar } from '../../admin/AdminList.tsx'
import { oneOf, useListState } from '../../data/list-state.ts'
import { paths } from '../../paths.ts'
import { color, size } from '../../theme/tokens.ts'
import { TableSkeleton } from '../../ui/DataTable.tsx'
import { FilterChips } from '../../ui/FilterChips.tsx'
import { Link } from '../../ui/Link.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Deliveries, deliveryStates, isDueSoon, stateWords } from './Deliveries.tsx'
import { SigningSecret } from './SigningSecret.tsx'
import { WebhookFacts } from './WebhookFacts.tsx'
import { EditWebhook } from './WebhookForm.tsx'
import { WebhookActions } from './WebhookActions.tsx'
import { type Question, WebhookQuestions } from './WebhookQuestions.tsx'
import { WebhookState } from './WebhookState.tsx'
import { type AdminDeliveryFragment, type AdminWebhookFragment, WebhookWithDeliveriesDocument } from './Webhooks.gql.ts'

const trail = [
  { label: 'Partners', to: paths.adminPartners() },
  { label: 'Webhooks', to: paths.adminWebhooks() },
]

/** How often the log is fetched again: while something is about to be sent, and otherwise. */
const SOON_MS = 2_000
const CALM_MS = 15_000

export default function WebhookPage() {
  const { id = '' } = useParams()
  const list = useListState()
  const state = oneOf(list.get('state'), deliveryStates)
  const { data, previousData, error, networkStatus, refetch, startPolling } = useQuery(WebhookWithDeliveriesDocument, {
    variables: { id, state, page: list.page },
    skipPollAttempt: () => document.hidden,
  })
  const shown = data ?? (previousData?.webhook?.id === id ? previousData : undefined)
  const deliveries = shown?.webhookDeliveries
  const isSoon = deliveries?.items.some(isDueSoon) === true

  useEffect(() => startPolling(isSoon ? SOON_MS : CALM_MS), [isSoon, startPolling])
  useEffect(() => {
    const look = () => void refetch().catch(() => {})
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [refetch])

  if (!shown?.webhook || !deliveries) {
    return (
      <NotShown
        title="Webhook"
        trail={trail}
        isAnswered={shown !== undefined}
        error={error}
        isRetrying={networkStatus === NetworkStatus.refetch}
        onRetry={() => void refetch()}
        thing="webhook"
        others={paths.adminWebhooks()}
        why="It was deleted, or the address is wrong."
        outline={<TableSkeleton />}
      />
    )
  }
  const changing = networkStatus === NetworkStatus.setVariables
  return (
    <WebhookView webhook={shown.webhook} deliveries={deliveries.items}>
      <Toolbar>
        <FilterChips
          label="Deliveries"
          current={state ?? ''}
          chips={[{ key: '', label: 'All' }, ...deliveryStates.map(key => ({ key, label: stateWords[key] }))]}
          link={linkTo(key => list.to({ state: key.toLowerCase(), delivery: null }))}
        />
      </Toolbar>
      <ListResult
        total={deliveries.total}
        error={changing ? undefined : error}
        loading={changing}
        onRetry={() => void refetch()}
        empty={
          state ? (
            <Quiet>
              None. <Link to={list.to({ state: null, delivery: null })}>Show all deliveries</Link>
            </Quiet>
          ) : (
            <Quiet>Nothing has been sent yet. Send a test event to see whether it arrives.</Quiet>
          )
        }
      >
        <Deliveries deliveries={deliveries.items} enabled={shown.webhook.enabled} stale={changing} />
        <ListFoot served={deliveries} list={list} noun="delivery" plural="deliveries" />
      </ListResult>
    </WebhookView>
  )
}

function WebhookView({
  webhook,
  deliveries,
  children,
}: {
  webhook: AdminWebhookFragment
  deliveries: readonly AdminDeliveryFragment[]
  children: ReactNode
}) {
  const { url, enabled, attention } = webhook
  const [question, ask] = useState<Question | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <AdminPage
      title={webhook.description || new URL(url).host}
      badge={<WebhookState webhook={webhook} />}
      trail={trail}
      actions={<WebhookActions webhook={webhook} deliveries={deliveries} ask={ask} />}
    >
      {attention && <Notice variant="danger">The shop paused this webhook. {attention}</Notice>}
      {!enabled && (
        <Notice>
          It is paused: nothing is sent. When it is resumed it gets all it missed in the last 30 days, in order, unless
          you resume it from now.
        </Notice>
      )}
      <WebhookFacts webhook={webhook} onRotate={() => ask('rotate')} />
      <Panel aria-labelledby="deliveries">
        <h2 id="deliveries">Deliveries of the last 30 days</h2>
        {children}
      </Panel>
      <EditWebhook webhook={webhook} open={question === 'edit'} onClose={() => ask(null)} />
      <WebhookQuestions webhook={webhook} question={question} ask={ask} onSecret={setSecret} />
      {secret && <SigningSecret secret={secret} url={url} onClose={() => setSecret(null)} />}
    </AdminPage>
  )
}

const Quiet = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
