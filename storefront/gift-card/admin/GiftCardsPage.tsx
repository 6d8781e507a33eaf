import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { limits } from '#schema/rules/limits'
import { formatCents } from '#schema/rules/money'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { ListFoot, ListResult, Toolbar } from '../../admin/AdminList.tsx'
import { TwoLines } from '../../admin/rows.tsx'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { useListState } from '../../data/list-state.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { formatDay } from '../../ui/dates.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Link } from '../../ui/Link.tsx'
import { Money } from '../../ui/Money.tsx'
import { PlusIcon } from '../../ui/page-icons.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import type { Column } from '../../ui/table-column.ts'
import { notify } from '../../ui/toast.ts'
import { type AdminGiftCardFragment, GiftCardsDocument, UpdateGiftCardDocument } from './GiftCards.gql.ts'
import { NewGiftCard } from './NewGiftCard.tsx'

export default function GiftCardsPage() {
  const list = useListState()
  const search = list.get('search') ?? ''
  const { data, previousData, error, loading, refetch } = useQuery(GiftCardsDocument, {
    variables: { search: search || null, page: list.page },
  })
  const cards = (data ?? previousData)?.giftCards
  const [creating, setCreating] = useState(false)
  const [stopping, setStopping] = useState<AdminGiftCardFragment | null>(null)
  const { disable, working } = useDisable()

  async function press(card: AdminGiftCardFragment) {
    if (card.disabledAt === null) return setStopping(card)
    await disable(card, false)
  }

  return (
    <AdminPage
      title="Gift cards"
      actions={
        <Button size="sm" icon={<PlusIcon size={18} />} onClick={() => setCreating(true)}>
          Issue gift card
        </Button>
      }
    >
      <p>
        To sell gift cards, add a <Link to={paths.adminProducts()}>product</Link> for each amount. Under its downloads,
        say that nothing is sent, and that it is a gift card.
      </p>
      <Toolbar>
        <SearchField
          label="Search gift cards"
          placeholder="Last four letters, or email"
          value={search}
          maxLength={limits.email}
          onSearch={text => list.go({ search: text })}
        />
      </Toolbar>
      <ListResult
        total={cards?.total}
        error={error}
        loading={loading}
        onRetry={() => void refetch()}
        empty={
          <EmptyState title={search ? 'No such gift card' : 'No gift cards yet'}>
            <p>
              {search
                ? 'Cards are found by the last four letters of their code, and by the email it was sent to.'
                : 'Issue one as a thank-you, or when somebody pays for it at your counter. Its code pays orders in the shop.'}
            </p>
          </EmptyState>
        }
      >
        {cards && (
          <>
            <DataTable
              caption="Gift cards"
              columns={columnsFor(card => void press(card))}
              rows={cards.items}
              rowId={({ id }) => id}
              stale={loading}
              isQuiet={card => statusOf(card) !== 'Active'}
            />
            <ListFoot served={cards} list={list} noun="gift card" />
          </>
        )}
      </ListResult>
      <NewGiftCard open={creating} onClose={() => setCreating(false)} />
      <ConfirmDialog
        open={stopping !== null}
        onOpenChange={open => !open && setStopping(null)}
        title={`Stop the card that ends with ${stopping?.lastFour ?? ''}?`}
        message={`Nobody can use the ${formatCents(stopping?.balance ?? 0)} that is on it until you let it go on. Orders it was used for stay as they are.`}
        confirmLabel="Stop card"
        loading={working}
        onConfirm={() => stopping && void disable(stopping, true).then(() => setStopping(null))}
      />
    </AdminPage>
  )
}

/** Stops a card, or lets it be used again. */
function useDisable() {
  const [update, { loading }] = useShopMutation(UpdateGiftCardDocument)
  const invalidate = useInvalidate()
  async function disable({ id, lastFour }: AdminGiftCardFragment, isDisabled: boolean) {
    if (!(await update({ id, input: { isDisabled } }))) return
    invalidate('auditLog')
    notify.success(`The card that ends with ${lastFour} ${isDisabled ? 'is stopped' : 'can be used again'}.`)
  }
  return { disable, working: loading }
}

const statusOf = ({ balance, disabledAt, order }: AdminGiftCardFragment) =>
  disabledAt !== null ? 'Stopped' : order?.isRefunded ? 'Refunded' : balance > 0 ? 'Active' : 'Used up'

function columnsFor(onPress: (card: AdminGiftCardFragment) => void): Column<AdminGiftCardFragment>[] {
  return [
    {
      id: 'CARD',
      header: 'Card',
      lead: true,
      width: '7rem',
      cell: ({ lastFour, createdAt }) => (
        <TwoLines>
          <strong>… {lastFour}</strong>
          <small>{formatDay(createdAt)}</small>
        </TwoLines>
      ),
    },
    {
      id: 'FOR',
      header: 'Sent to',
      wide: true,
      width: '27%',
      cell: ({ email, note, order }) => (
        <TwoLines>
          {email ?? 'Nobody by email'}
          {order && (
            <small>
              Bought with <Link to={paths.order(order.id)}>{order.reference}</Link>
            </small>
          )}
          {note && <small>{note}</small>}
        </TwoLines>
      ),
    },
    {
      id: 'STATUS',
      header: 'Status',
      width: '6rem',
      cell: card => {
        const status = statusOf(card)
        return <Badge $variant={status === 'Active' ? 'success' : 'plain'}>{status}</Badge>
      },
    },
    {
      id: 'BALANCE',
      header: 'Left',
      numeric: true,
      width: '6.5rem',
      cell: ({ balance, initialAmount }) => (
        <TwoLines>
          <Money cents={balance} />
          <small>of {formatCents(initialAmount)}</small>
        </TwoLines>
      ),
    },
    {
      id: 'USES',
      header: 'Paid for',
      wide: true,
      cell: ({ uses }) =>
        uses.length === 0
          ? 'Nothing yet'
          : uses.map(({ order, amount }, place) => (
              <span key={order.id}>
                {place > 0 && ', '}
                <Link to={paths.order(order.id)}>{order.reference}</Link> ({formatCents(amount)})
              </span>
            )),
    },
    {
      id: 'ACTIONS',
      header: 'Actions',
      hideHeader: true,
      wide: true,
      numeric: true,
      width: '6.5rem',
      cell: card =>
        ['Active', 'Stopped'].includes(statusOf(card)) && (
          <Button
            size="sm"
            variant="quiet"
            aria-label={`${card.disabledAt === null ? 'Stop' : 'Resume'} the card that ends with ${card.lastFour}`}
            onClick={() => onPress(card)}
          >
            {card.disabledAt === null ? 'Stop' : 'Resume'}
          </Button>
        ),
    },
  ]
}
