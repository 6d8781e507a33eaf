import { useState } from 'react'
import { styled } from 'styled-components'
import { fieldName } from '../../audit/admin/words.ts'
import { color, radius, size, space, weight } from '../../theme/tokens.ts'
import { Button } from '../../ui/Button.tsx'
import { Cluster } from '../../ui/Cluster.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextButton } from '../../ui/TextButton.tsx'
import { correctionsInWords } from './fact-rows.ts'
import { type Difference, picturesInWords, type ProductValues } from './product-values.ts'

interface ConflictDialogProps {
  differences: readonly Difference[]
  open: boolean
  saving: boolean
  /** Back to the form with nothing decided. */
  onClose: () => void
  onSave: (chosen: Partial<ProductValues>) => void
}

type Side = Difference['suggestion']

/** Two people edited the same product: for each field that differs, one of the two is kept. */
export function ConflictDialog({ differences, open, saving, onClose, onSave }: ConflictDialogProps) {
  const [chosen, setChosen] = useState<Partial<Record<string, Side>>>({})
  const sideOf = (difference: Difference): Side => chosen[difference.field] ?? difference.suggestion
  const all = (side: Side) => setChosen(Object.fromEntries(differences.map(({ field }) => [field, side])))
  const save = () =>
    onSave(Object.fromEntries(differences.map(difference => [difference.field, difference[sideOf(difference)]])))

  return (
    <Dialog
      alert
      open={open}
      onOpenChange={next => !next && onClose()}
      title="Somebody else saved this product"
      description="Nothing of yours is lost and nothing of theirs was overwritten. Choose what to keep where the two differ."
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            Back to editing
          </Button>
          <Button loading={saving} onClick={save}>
            Save these choices
          </Button>
        </>
      }
    >
      <Cluster $gap={4}>
        <TextButton onClick={() => all('mine')}>Keep all of mine</TextButton>
        <TextButton onClick={() => all('theirs')}>Take all of theirs</TextButton>
      </Cluster>
      <List>
        {differences.map(difference => (
          <fieldset key={difference.field}>
            <legend>{fieldName(difference.field)}</legend>
            <Pair>
              {(['theirs', 'mine'] as const).map(side => (
                <label key={side}>
                  <input
                    type="radio"
                    name={`conflict-${difference.field}`}
                    checked={sideOf(difference) === side}
                    onChange={() => setChosen(before => ({ ...before, [difference.field]: side }))}
                  />
                  <span>
                    <small>{side === 'mine' ? 'Mine' : 'Theirs'}</small>
                    {shown(difference, side) || <em>empty</em>}
                  </span>
                </label>
              ))}
            </Pair>
          </fieldset>
        ))}
      </List>
    </Dialog>
  )
}

const shown = (difference: Difference, side: Side) =>
  difference.field === 'factCorrections'
    ? correctionsInWords(difference[side])
    : difference.field === 'pictures'
      ? picturesInWords(difference[side])
      : difference[side]

const List = styled.div`
  display: grid;
  gap: ${space[4]};
  margin-top: ${space[4]};
  legend {
    padding: 0;
    margin-bottom: ${space[1]};
    font-size: ${size.sm};
    font-weight: ${weight.strong};
  }
`
const Pair = styled.div`
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: ${space[2]};
  label {
    display: flex;
    align-items: flex-start;
    gap: ${space[2]};
    min-width: 0;
    padding: ${space[2]} ${space[3]};
    border: 1px solid ${color.line};
    border-radius: ${radius.md};
    font-size: ${size.sm};
    cursor: pointer;
    &:has(:checked) {
      border-color: ${color.text};
      background: ${color.band};
    }
  }
  input {
    flex: none;
    margin: 0.2rem 0 0;
    accent-color: ${color.accent};
  }
  span {
    min-width: 0;
    max-height: 8rem;
    overflow-y: auto;
    overflow-wrap: anywhere;
  }
  small {
    display: block;
    font-size: ${size.xs};
    color: ${color.textQuiet};
  }
`
