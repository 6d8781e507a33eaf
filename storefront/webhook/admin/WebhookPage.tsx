import { NetworkStatus } from '@apollo/client'
import { useQuery } from '@apollo/client/react'
import { type ReactNode, useEffect, useState, type Dispatch, type SetStateAction } from 'react'
import { Link, useNavigate, useParams } from 'react-router-dom'
import { styled } from 'styled-components'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { linkTo, ListFoot, ListResult, Panel, Toolbar } from '../../admin/AdminList.tsx'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { messageOf } from '../../data/errors.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { oneOf, useListState } from '../../data/list-state.ts'
import { paths } from '../../paths.ts'
import { color, size } from '../../theme/tokens.ts'
import { notify } from '../../ui/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { TableSkeleton } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { FilterChips } from '../../ui/FilterChips.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Deliveries, deliveryStates, isDueSoon, stateWords } from './Deliveries.tsx'
import { SigningSecret } from './SigningSecret.tsx'
import { useTestEvent } from './use-test-event.ts'
import { WebhookFacts } from './WebhookFacts.tsx'
import { EditWebhook } from './WebhookForm.tsx'
import { WebhookState } from './WebhookState.tsx'
import {
  type AdminDeliveryFragment,
  type AdminWebhookFragment,
  DeleteWebhookDocument,
  ResumeWebhookDocument,
  RotateWebhookSecretDocument,
  UpdateWebhookDocument,
  WebhookWithDeliveriesDocument,
} from './Webhooks.gql.ts'

const trail = [
  { label: 'Partners', to: paths.adminPartners() },
  { label: 'Webhooks', to: paths.adminWebhooks() },
]

/** How often the log is looked at again: while something is about to be sent, and otherwise. */
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
      <AdminPage title="Webhook" trail={trail}>
        {shown ? (
          <EmptyState
            title="There is no such webhook"
            action={
              <LinkButton as={Link} to={paths.adminWebhooks()}>
                All webhooks
              </LinkButton>
            }
          >
            <p>It was deleted, or the address is wrong.</p>
          </EmptyState>
        ) : error ? (
          <ErrorState onRetry={() => void refetch()} retrying={networkStatus === NetworkStatus.refetch}>
            {messageOf(error)}
          </ErrorState>
        ) : (
          <TableSkeleton />
        )}
      </AdminPage>
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

type Question = 'edit' | 'pause' | 'rotate' | 'delete'

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
      actions={<Actions webhook={webhook} deliveries={deliveries} ask={ask} />}
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
      <Questions webhook={webhook} question={question} ask={ask} onSecret={setSecret} />
      {secret && <SigningSecret secret={secret} url={url} onClose={() => setSecret(null)} />}
    </AdminPage>
  )
}

/** What an administrator does with the webhook at once, or is asked about first. */
function Actions({
  webhook: { id, enabled },
  deliveries,
  ask,
}: {
  webhook: AdminWebhookFragment
  deliveries: readonly AdminDeliveryFragment[]
  ask: (question: Question) => void
}) {
  const invalidate = useInvalidate()
  const [resume, resuming] = useShopMutation(ResumeWebhookDocument)
  const test = useTestEvent(id, deliveries)

  async function goOn(skipMissed: boolean) {
    if (!(await resume({ id, skipMissed }))) return
    invalidate('auditLog')
    notify.success('Webhook resumed successfully.')
  }

  return (
    <>
      <Button
        size="sm"
        loading={test.sending}
        disabledReason={enabled ? null : 'It is paused.'}
        onClick={() => void test.send()}
      >
        Send a test event
      </Button>
      <Button size="sm" variant="quiet" onClick={() => ask('edit')}>
        Edit
      </Button>
      {enabled ? (
        <Button size="sm" variant="quiet" onClick={() => ask('pause')}>
          Pause …
        </Button>
      ) : (
        <>
          <Button size="sm" variant="quiet" loading={resuming.loading} onClick={() => void goOn(false)}>
            Resume
          </Button>
          <Button size="sm" variant="quiet" disabled={resuming.loading} onClick={() => void goOn(true)}>
            Resume from now
          </Button>
        </>
      )}
      <Button size="sm" variant="danger" onClick={() => ask('delete')}>
        Delete …
      </Button>
    </>
  )
}

function Questions({
  webhook: { id, url },
  question,
  ask,
  onSecret,
}: {
  webhook: AdminWebhookFragment
  question: Question | null
  ask: Dispatch<SetStateAction<Question | null>>
  onSecret: (secret: string) => void
}) {
  const navigate = useNavigate()
  const invalidate = useInvalidate()
  const [update, updating] = useShopMutation(UpdateWebhookDocument)
  const [rotate, rotating] = useShopMutation(RotateWebhookSecretDocument)
  const [remove, removing] = useShopMutation(DeleteWebhookDocument)
  const close = () => ask(null)

  async function pause() {
    const payload = await update({ id, input: { enabled: false } })
    // Whatever else has been asked for in the meantime stays open.
    ask(open => (open === 'pause' ? null : open))
    if (!payload) return
    invalidate('auditLog')
    notify.success('Webhook paused successfully.')
  }

  async function newSecret() {
    const payload = await rotate({ id })
    close()
    if (!payload?.secret) return
    invalidate('auditLog')
    onSecret(payload.secret)
  }

  async function deleteForGood() {
    const payload = await remove({ id })
    close()
    if (!payload) return
    invalidate('auditLog')
    notify.success('Webhook deleted successfully.')
    void navigate(paths.adminWebhooks(), { replace: true })
  }

  return (
    <>
      <ConfirmDialog
        open={question === 'pause'}
        onOpenChange={close}
        title="Pause this webhook?"
        message={
          <>
            Nothing is sent to {url} until you let it go on. Then it gets what it missed, or only what happens from then
            on, as you like.
          </>
        }
        confirmLabel="Pause webhook"
        loading={updating.loading}
        onConfirm={() => void pause()}
      />
      <ConfirmDialog
        open={question === 'rotate'}
        onOpenChange={close}
        title="Make a new signing secret?"
        message="For 24 hours requests are signed with the old one, too, so that the partner can change over at leisure."
        confirmLabel="Make a new secret"
        variant="primary"
        loading={rotating.loading}
        onConfirm={() => void newSecret()}
      />
      <ConfirmDialog
        open={question === 'delete'}
        onOpenChange={close}
        title="Delete this webhook?"
        message={
          <>
            Nothing is sent to {url} any more, and the log of its deliveries is deleted with it. This action cannot be
            undone.
          </>
        }
        confirmLabel="Delete webhook"
        loading={removing.loading}
        onConfirm={() => void deleteForGood()}
      />
    </>
  )
}

const Quiet = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
