import { useState } from 'react'
import { TwoLines } from '../../admin/rows.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/table-column.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextButton } from '../../ui/TextButton.tsx'
import { formatDay } from '../../ui/dates.ts'
import type { AdminApiKeyFragment } from './ApiKeys.gql.ts'
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx'

type Day = AdminApiKeyFragment['usage'][number]

const figure = (value: number) => value.toLocaleString('en-US')
const counted = (value: number, noun: string) => `${figure(value)} ${noun}${value === 1 ? '' : 's'}`
const sum = (days: readonly Day[], field: 'calls' | 'errors' | 'cost') =>
  days.reduce((total, day) => total + day[field], 0)

const columns: Column<Day>[] = [
  {
    id: 'DAY',
    header: 'Day',
    lead: true,
    cell: ({ day }) => <time dateTime={day}>{formatDay(`${day}T12:00:00Z`)}</time>,
  },
  { id: 'CALLS', header: 'Calls', numeric: true, cell: ({ calls }) => figure(calls) },
  { id: 'ERRORS', header: 'Errors', numeric: true, cell: ({ errors }) => figure(errors) },
  { id: 'COST', header: 'Points', numeric: true, cell: ({ cost }) => figure(cost) },
]

/** How much a key was used in the last two weeks; day by day when pressed. */
export function KeyUsage({ apiKey: { name, usage } }: { apiKey: Pick<AdminApiKeyFragment, 'name' | 'usage'> }) {
  const [open, setOpen] = useState(false)
  if (usage.length === 0) return <>None</>
  const errors = sum(usage, 'errors')
  return (
    <TwoLines>
      <TextButton onClick={() => setOpen(true)}>
        {counted(sum(usage, 'calls'), 'call')}
        <VisuallyHidden> of {name}, day by day</VisuallyHidden>
      </TextButton>
      <small>
        {errors === 0 ? 'No errors' : counted(errors, 'error')}, {counted(sum(usage, 'cost'), 'point')}
      </small>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={`Calls of ${name}`}
        description="The last 14 days, in UTC. An error is whatever was refused or went wrong; points are counted as the rate is."
      >
        <DataTable caption={`Calls of ${name}`} columns={columns} rows={usage} rowId={({ day }) => day} />
      </Dialog>
    </TwoLines>
  )
}
