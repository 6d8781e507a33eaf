import { useRef } from 'react'
import { styled } from 'styled-components'
import { ownerLimits } from '#schema/rules/owner-limits'
import { below, size, space, weight } from '../../theme/tokens.ts'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { PlusIcon, TrashIcon } from '../../ui/page-icons.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { TextField } from '../../ui/TextField.tsx'

/** An external id as typed: either part may still be blank. */
export interface ExternalId {
  namespace: string
  value: string
}

interface ExternalIdsFieldProps {
  ids: readonly ExternalId[]
  /** Messages by the field's path, as refusals name it: "externalIds.0.value". */
  problems: Record<string, string>
  onChange: (ids: ExternalId[]) => void
}

/** The ids that other programs use for the thing, one per row. */
export function ExternalIdsField({ ids, problems, onChange }: ExternalIdsFieldProps) {
  const add = useRef<HTMLButtonElement>(null)

  const change = (place: number, part: Partial<ExternalId>) =>
    onChange(ids.map((each, at) => (at === place ? { ...each, ...part } : each)))

  function remove(place: number) {
    onChange(ids.filter((_, at) => at !== place))
    // The pressed button is gone; without this the keyboard focus would return to the top of the page.
    add.current?.focus()
  }

  return (
    <Ids>
      <legend>External ids</legend>
      {ids.map(({ namespace, value }, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- two rows can be alike while they are typed
        <Row key={place}>
          <TextField
            label="Program"
            hint={place === 0 ? 'For example erp' : undefined}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={ownerLimits.externalIds.namespace}
            value={namespace}
            error={problems[`externalIds.${place}.namespace`]}
            onChange={({ target }) => change(place, { namespace: target.value })}
          />
          <TextField
            label="Its id"
            hint={place === 0 ? 'What the program calls it' : undefined}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={ownerLimits.externalIds.value}
            value={value}
            error={problems[`externalIds.${place}.value`] ?? problems[`externalIds.${place}`]}
            onChange={({ target }) => change(place, { value: target.value })}
          />
          <IconButton
            label={namespace ? `Remove the id of ${namespace}` : 'Remove the blank id'}
            onClick={() => remove(place)}
          >
            <TrashIcon size={18} />
          </IconButton>
        </Row>
      ))}
      {problems['externalIds'] && <Problem id="external-ids">{problems['externalIds']}</Problem>}
      <div>
        <Button
          ref={add}
          size="sm"
          variant="quiet"
          icon={<PlusIcon size={16} />}
          onClick={() => onChange([...ids, { namespace: '', value: '' }])}
        >
          Add an external id
        </Button>
      </div>
    </Ids>
  )
}

const Ids = styled.fieldset`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[3]};
  margin: 0;
  padding: 0;
  border: 0;
  min-width: 0;
  legend {
    margin-bottom: ${space[2]};
    padding: 0;
    font-size: ${size.sm};
    font-weight: ${weight.strong};
  }
`
const Row = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr) minmax(0, 2fr) auto;
  gap: ${space[2]};
  align-items: start;
  > button {
    margin-top: 1.6rem;
  }
  ${below.tablet} {
    grid-template-columns: minmax(0, 1fr) auto;
    > :first-child {
      grid-column: 1 / -1;
    }
  }
`
