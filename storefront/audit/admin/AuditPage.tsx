import { useQuery } from '@apollo/client/react'
import { styled } from 'styled-components'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { dayOf, DayRange } from '../../admin/DayRange.tsx'
import { linkTo, ListFoot, ListResult, Toolbar } from '../../admin/AdminList.tsx'
import { oneOf, useListState } from '../../data/list-state.ts'
import type { AuditAction } from '../../generated/types.ts'
import { formatDay } from '../../ui/dates.ts'
import { color, control, font, size, space, weight } from '../../theme/tokens.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterChips } from '../../ui/FilterChips.tsx'
import { Link } from '../../ui/Link.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { BareSelect } from '../../ui/Select.tsx'
import { AuditLogDocument } from './Audit.gql.ts'
import { AuditEntries } from './AuditEntries.tsx'
import { actionAlone, actions, entities, entityWords } from './words.ts'

export default function AuditPage() {
  const list = useListState()
  const entity = oneOf(list.get('entity'), entities)
  const action = oneOf(list.get('action'), actions)
  const actor = list.get('actor') ?? ''
  const from = dayOf(list.get('from'))
  const to = dayOf(list.get('to'))
  const { data, previousData, error, loading, refetch } = useQuery(AuditLogDocument, {
    variables: {
      filter: { entity, action, actor: actor || null, from: from && startOfDay(from), to: to && startOfDay(to, 1) },
      page: list.page,
    },
  })
  const log = (data ?? previousData)?.auditLog
  const isFiltered = Boolean(entity ?? action ?? (actor || from || to))

  return (
    <AdminPage title="Audit log">
      <Toolbar>
        <FilterChips
          label="Kind"
          current={entity ?? ''}
          chips={[{ key: '', label: 'Everything' }, ...entities.map(key => ({ key, label: `${entityWords[key]}s` }))]}
          link={linkTo(key => list.to({ entity: key.toLowerCase() }))}
        />
        <SearchField
          label="Changed by"
          placeholder="Changed by …"
          value={actor}
          maxLength={100}
          onSearch={text => list.go({ actor: text })}
        />
        <ActionFilter value={action} onChange={next => void list.go({ action: next.toLowerCase() })} />
        <DayRange from={from} to={to} onChange={change => void list.go(change)} />
      </Toolbar>
      <ListResult
        total={log?.total}
        error={error}
        loading={loading}
        onRetry={() => void refetch()}
        empty={
          <EmptyState
            title="No changes found."
            action={
              isFiltered && (
                <Link to={list.to({ entity: null, action: null, actor: null, from: null, to: null })}>
                  Show all changes
                </Link>
              )
            }
          >
            <p>
              {isFiltered
                ? 'Nothing in the log fits these filters.'
                : 'What administrators change will be written down here.'}
            </p>
          </EmptyState>
        }
      >
        {log && (
          <Log aria-busy={loading} $stale={loading}>
            {byDay(log.items).map(([day, entries]) => (
              <section key={day} aria-label={day}>
                <h2>{day}</h2>
                <AuditEntries named entries={entries} />
              </section>
            ))}
            <ListFoot served={log} list={list} noun="change" />
          </Log>
        )}
      </ListResult>
    </AdminPage>
  )
}

function ActionFilter({ value, onChange }: { value: AuditAction | null; onChange: (action: string) => void }) {
  return (
    <Small>
      <BareSelect aria-label="Action" value={value ?? ''} onChange={event => onChange(event.target.value)}>
        <option value="">Any action</option>
        {actions.map(key => (
          <option key={key} value={key}>
            {actionAlone(key)}
          </option>
        ))}
      </BareSelect>
    </Small>
  )
}

function byDay<Entry extends { at: string }>(entries: readonly Entry[]): [string, Entry[]][] {
  const days = new Map<string, Entry[]>()
  for (const entry of entries) {
    const day = formatDay(entry.at)
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days]
}

/** Midnight in the browser's time zone, `later` days later. */
function startOfDay(day: string, later = 0): string {
  const date = new Date(`${day}T00:00:00`)
  date.setDate(date.getDate() + later)
  return date.toISOString()
}

const Small = styled.div`
  min-width: 10rem;
  select {
    min-height: ${control.sm};
    padding-block: ${space[1]};
    font-size: ${size.sm};
  }
`
const Log = styled.div<{ $stale: boolean }>`
  display: grid;
  gap: ${space[5]};
  max-width: 60rem;
  opacity: ${({ $stale }) => ($stale ? 0.6 : 1)};
  h2 {
    font: ${weight.strong} ${size.sm} / 1.3 ${font.sans};
    letter-spacing: 0;
    color: ${color.textQuiet};
  }
`
