import { useState } from 'react'
import { styled } from 'styled-components'
import { COLOUR_FAMILIES, type ColourFamily, colourLabel } from '#schema/rules/facts/shelf-names'
import {
  factsOf,
  type BandTexts,
  type Colour,
  type Correctable,
  type FactCorrections,
} from '#schema/rules/facts/product-facts'
import { color, radius, size, space, weight } from '../../theme/tokens.ts'
import { Badge } from '../../ui/Badge.tsx'
import { TextButton } from '../../ui/TextButton.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { BareSelect, Select } from '../../ui/Select.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx'
import { FACT_ROWS, type FactRow } from './fact-rows.ts'

interface FactsPanelProps {
  /** The texts that are being typed. */
  texts: BandTexts
  /** The colours found in the picture when it was last examined. */
  seen: readonly Colour[]
  /** Colour families that the picture adds to those of the words. */
  families: readonly ColourFamily[]
  corrections: FactCorrections
  onChange: (corrections: FactCorrections) => void
}

/** What shoppers filter and compare by: as read from the texts while they are typed, or as set by hand. */
export function FactsPanel({ texts, seen, families, corrections, onChange }: FactsPanelProps) {
  const [open, setOpen] = useState<Correctable | null>(null)
  const read = factsOf(texts, corrections)
  const facts = {
    ...read,
    colourFamilies: corrections.colourFamilies ?? [...new Set([...families, ...read.colourFamilies])],
  }
  const colours = corrections.colours ?? seen
  const set = (name: Correctable, value: unknown) => {
    onChange({ ...corrections, [name]: value })
    setOpen(null)
  }
  const takeBack = (name: Correctable) => {
    const { [name]: _, ...others } = corrections
    onChange(others)
    setOpen(null)
  }
  const actions = (name: Correctable, label: string) => (
    <Actions>
      {name in corrections && (
        <TextButton onClick={() => takeBack(name)}>
          As read<VisuallyHidden> {label}</VisuallyHidden>
        </TextButton>
      )}
      <TextButton aria-expanded={open === name} onClick={() => setOpen(open === name ? null : name)}>
        {open === name ? 'Close' : 'Correct'}
        <VisuallyHidden> {label}</VisuallyHidden>
      </TextButton>
    </Actions>
  )

  return (
    <>
      <p>Read from the texts as you type. Shoppers filter by them.</p>
      <List>
        {FACT_ROWS.map(row => (
          <Row key={row.name}>
            <dt>{row.label}</dt>
            <dd>
              {row.tell(facts[row.name] as never) || <em>not said</em>}
              {row.name in corrections && <Badge>By hand</Badge>}
            </dd>
            {actions(row.name, row.label)}
            {open === row.name && (
              <FactEditor row={row} value={row.tell(facts[row.name] as never)} onSet={value => set(row.name, value)} />
            )}
          </Row>
        ))}
        <Row>
          <dt>Colours</dt>
          <dd>
            {colours.length > 0 ? <Swatches colours={colours} /> : <em>read from the picture once it is saved</em>}
            {'colours' in corrections && <Badge>By hand</Badge>}
          </dd>
          {actions('colours', 'Colours')}
          {open === 'colours' && (
            <ColourEditor colours={colours} onChange={list => onChange({ ...corrections, colours: list })} />
          )}
        </Row>
        <Row>
          <dt>Metres in 100 g</dt>
          <dd>{facts.metresPer100g ?? <em>not said</em>}</dd>
        </Row>
      </List>
    </>
  )
}

function FactEditor({ row, value, onSet }: { row: FactRow; value: string; onSet: (value: unknown) => void }) {
  const [typed, setTyped] = useState(value)
  const [problem, setProblem] = useState<string>()
  const isList = ['fibres', 'needles', 'hooks', 'colourFamilies'].includes(row.name)
  const take = (text: string) => {
    if (text.trim() === '') return onSet(isList ? [] : null)
    const fact = row.read(text)
    if (fact === undefined) return setProblem(`Please write it like this: ${row.example}.`)
    onSet(fact)
  }
  if (row.options)
    return (
      <Editor>
        <Select label={`${row.label}, by hand`} value={typed} onChange={event => take(event.target.value)}>
          <option value="">Nobody knows</option>
          {row.options.map(option => (
            <option key={option}>{option}</option>
          ))}
        </Select>
      </Editor>
    )
  return (
    <Editor>
      <TextField
        label={`${row.label}, by hand`}
        hint={`For example ${row.example}. Empty when nobody knows.`}
        error={problem}
        value={typed}
        maxLength={200}
        autoComplete="off"
        onChange={event => setTyped(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          take(typed)
        }}
      />
      <TextButton onClick={() => take(typed)}>Set</TextButton>
    </Editor>
  )
}

const MOST = 3

function ColourEditor({ colours, onChange }: { colours: readonly Colour[]; onChange: (colours: Colour[]) => void }) {
  const change = (place: number, changed: Partial<Colour>) =>
    onChange(colours.map((colour, at) => (at === place ? { ...colour, ...changed } : colour)))
  return (
    <Editor>
      {colours.map(({ hex, family }, place) => (
        <Line key={place}>
          <input
            type="color"
            aria-label={`Colour ${place + 1}`}
            value={hex}
            onChange={event => change(place, { hex: event.target.value })}
          />
          <BareSelect
            aria-label={`Family of colour ${place + 1}`}
            value={family}
            onChange={event => change(place, { family: event.target.value as ColourFamily })}
          >
            {COLOUR_FAMILIES.map(name => (
              <option key={name} value={name}>
                {colourLabel(name)}
              </option>
            ))}
          </BareSelect>
          <TextButton onClick={() => onChange(colours.filter((_, at) => at !== place))}>
            Remove<VisuallyHidden> colour {place + 1}</VisuallyHidden>
          </TextButton>
        </Line>
      ))}
      {colours.length < MOST && (
        <TextButton onClick={() => onChange([...colours, { hex: '#808080', family: 'GREY' }])}>Add a colour</TextButton>
      )}
    </Editor>
  )
}

/** Colours side by side, with their names for people who do not see them. */
function Swatches({ colours }: { colours: readonly Colour[] }) {
  return (
    <svg
      width={colours.length * 28}
      height={22}
      role="img"
      aria-label={colours.map(({ hex, family }) => `${colourLabel(family)} ${hex}`).join(', ')}
    >
      {colours.map(({ hex }, place) => (
        <rect key={place} x={place * 28} width={24} height={22} rx={3} fill={hex} />
      ))}
    </svg>
  )
}

const List = styled.dl`
  margin: ${space[3]} 0 0;
`
const Row = styled.div`
  display: grid;
  grid-template-columns: 1fr auto;
  gap: 0 ${space[3]};
  align-items: baseline;
  padding-block: ${space[2]};
  border-top: 1px solid ${color.line};
  dt {
    grid-column: 1 / -1;
    font-size: ${size.xs};
    color: ${color.textQuiet};
  }
  dd {
    margin: 0;
  }
  dt + dd {
    display: flex;
    flex-wrap: wrap;
    gap: ${space[1]} ${space[2]};
    align-items: center;
    font-weight: ${weight.medium};
    overflow-wrap: anywhere;
    em {
      font-weight: ${weight.regular};
      color: ${color.textQuiet};
    }
  }
`
const Actions = styled.dd`
  display: flex;
  gap: ${space[3]};
  font-size: ${size.sm};
`
const Editor = styled.dd`
  grid-column: 1 / -1;
  display: grid;
  gap: ${space[2]};
  justify-items: start;
  padding: ${space[3]};
  margin-top: ${space[2]};
  background: ${color.band};
  border-radius: ${radius.md};
  > :first-child {
    justify-self: stretch;
  }
`
const Line = styled.div`
  display: flex;
  gap: ${space[3]};
  align-items: center;
  justify-self: stretch;
  > :nth-child(2) {
    flex: 1;
  }
  input {
    width: 2.75rem;
    height: 2.75rem;
    padding: 2px;
    border: 1px solid ${color.lineStrong};
    border-radius: ${radius.md};
    background: ${color.raised};
  }
`
