import { useQuery } from '@apollo/client/react'
import { useMemo, useState } from 'react'
import { limits } from '#schema/rules/limits'
import { messageOf } from '../../data/errors.ts'
import { Combobox, type Option } from '../../ui/Combobox.tsx'
import { TextButton } from '../../ui/TextButton.tsx'
import { FindGroupsDocument } from './ProductGroups.gql.ts'

interface GroupFieldProps {
  /** The group's name; empty for a product that stands alone. */
  value: string
  onChange: (name: string) => void
  /** What the group could be called. */
  suggestion: string | null
  error?: string
}

/** Chooses an existing group, found by its name, or makes a new one with the typed name. */
export function GroupField({ value, onChange, suggestion, error }: GroupFieldProps) {
  const [typed, setTyped] = useState('')
  const search = typed || suggestion || ''
  const { data, error: failure, loading } = useQuery(FindGroupsDocument, { variables: { search } })
  const found: Option[] = (data?.productGroups ?? []).map(({ name, total }) => ({
    id: name,
    label: name,
    detail: total === 1 ? '1 product on sale' : `${total} products on sale`,
  }))
  const isKnown = found.some(({ label }) => label.toLowerCase() === search.trim().toLowerCase())
  if (search.trim() && !loading && !isKnown)
    found.push({ id: search.trim(), label: search.trim(), detail: 'New group' })
  // Another object would put the chosen name back over what is being typed.
  const chosen = useMemo(() => (value ? { id: value, label: value } : null), [value])
  return (
    <>
      <Combobox
        label="Group"
        optional
        hint="Products that differ in colour or size alone are shown together."
        placeholder="Stands alone"
        error={error}
        maxLength={limits.productText}
        value={chosen}
        onChange={group => onChange(group?.label ?? '')}
        found={found}
        searching={loading}
        failure={failure ? messageOf(failure) : null}
        onSearch={setTyped}
      />
      {value && <TextButton onClick={() => onChange('')}>Take it out of the group</TextButton>}
    </>
  )
}
