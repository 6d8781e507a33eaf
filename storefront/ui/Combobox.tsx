import { Combobox as Base } from '@base-ui/react/combobox'
import { useEffect, useRef, useState } from 'react'
import { styled } from 'styled-components'
import { depth } from '../theme/z-index.ts'
import { color, control, radius, shadow, size, space } from '../theme/tokens.ts'
import { controlLook, Field, type FieldProps } from './Field.tsx'
import { CheckIcon, ChevronDownIcon } from './icons.tsx'

export interface Option {
  id: string
  label: string
  /** Tells it from others of the same label. */
  detail?: string
}

interface ComboboxProps<Item extends Option> extends FieldProps {
  value: Item | null
  onChange: (value: Item | null) => void
  /** What the last search found; nothing while it goes on. */
  found: readonly Item[]
  /** Called with what is typed, once the typing pauses. */
  onSearch: (text: string) => void
  searching: boolean
  /** Why the last search found nothing, when it failed. */
  failure: string | null
  placeholder?: string
  maxLength?: number
}

const PAUSE_MS = 250

/** One of very many, found by typing; the search happens elsewhere. */
export function Combobox<Item extends Option>({
  value,
  onChange,
  found,
  onSearch,
  searching,
  failure,
  placeholder,
  maxLength,
  ...field
}: ComboboxProps<Item>) {
  const [typed, setTyped] = useState('')
  const [searched, setSearched] = useState('')
  // Enter chooses nothing that was found by other words.
  const offered = typed.trim() === searched ? found : []
  const isSearching = searching || offered !== found
  const latest = useRef(onSearch)
  useEffect(() => {
    latest.current = onSearch
  })
  useEffect(() => {
    const search = () => {
      setSearched(typed.trim())
      latest.current(typed.trim())
    }
    const pause = setTimeout(search, typed === '' ? 0 : PAUSE_MS)
    return () => clearTimeout(pause)
  }, [typed])

  return (
    <Base.Root
      items={offered}
      value={value}
      onValueChange={onChange}
      onInputValueChange={(text, { reason }) => setTyped(reason === 'input-change' ? text : '')}
      itemToStringLabel={(item: Item) => item.label}
      isItemEqualToValue={(item, chosen) => item.id === chosen.id}
      filter={null}
      autoHighlight
    >
      <Field {...field}>
        {wiring => (
          <Frame>
            <Base.Input
              {...wiring}
              placeholder={placeholder}
              maxLength={maxLength}
              onKeyDown={event => {
                // Where nothing is offered yet, it would send the form.
                if (event.key !== 'Enter' || !isSearching) return
                event.preventDefault()
                event.preventBaseUIHandler()
              }}
            />
            <Base.Trigger tabIndex={-1} aria-label="Show choices">
              <ChevronDownIcon size={18} />
            </Base.Trigger>
          </Frame>
        )}
      </Field>
      <Base.Portal>
        <Positioner sideOffset={4}>
          <Popup aria-busy={isSearching || undefined}>
            <Base.Status>
              {offered.length === 0 && <Nothing>{isSearching ? 'Searching …' : (failure ?? 'Nothing found.')}</Nothing>}
            </Base.Status>
            <List>
              {(item: Item) => (
                <Row key={item.id} value={item}>
                  <span>
                    {item.label}
                    {item.detail && <small>{item.detail}</small>}
                  </span>
                  <Base.ItemIndicator>
                    <CheckIcon size={18} />
                  </Base.ItemIndicator>
                </Row>
              )}
            </List>
          </Popup>
        </Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

const Frame = styled(Base.InputGroup)`
  position: relative;
  input {
    ${controlLook}
    padding-right: ${control.md};
  }
  button {
    position: absolute;
    inset: 0 0 0 auto;
    display: grid;
    place-items: center;
    width: ${control.md};
    padding: 0;
    border: 0;
    background: none;
    color: ${color.textQuiet};
  }
`
// Also inside of dialogs, so above them.
const Positioner = styled(Base.Positioner)`
  z-index: ${depth.tooltip};
`
const Popup = styled(Base.Popup)`
  width: var(--anchor-width);
  max-height: min(18rem, var(--available-height));
  overflow-y: auto;
  padding: ${space[1]};
  background: ${color.raised};
  border: 1px solid ${color.line};
  border-radius: ${radius.md};
  box-shadow: ${shadow};
`
const List = styled(Base.List)`
  outline: none;
` as typeof Base.List
const Row = styled(Base.Item)`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: ${space[3]};
  min-height: ${control.md};
  padding: ${space[1]} ${space[3]};
  border-radius: ${radius.sm};
  font-size: ${size.sm};
  line-height: 1.35;
  cursor: pointer;
  > span:first-child {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  small {
    display: block;
    font-size: ${size.xs};
    color: ${color.textQuiet};
  }
  &[data-highlighted] {
    background: ${color.band};
  }
`
const Nothing = styled.p`
  padding: ${space[2]} ${space[3]};
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
