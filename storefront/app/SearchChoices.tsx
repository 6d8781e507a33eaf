import type { ReactNode } from 'react'
import { styled } from 'styled-components'
import { shelfFor } from '#schema/rules/shelves'
import { paths } from '../paths.ts'
import { color, control, font, radius, shadow, size, space, weight } from '../theme/tokens.ts'
import { depth } from '../theme/z-index.ts'
import { ArrowRightIcon, SearchIcon } from '../ui/icons.tsx'
import { Money } from '../ui/Money.tsx'
import { Picture } from '../ui/Picture.tsx'
import type { useSuggestions } from './use-suggestions.ts'

/** Something to choose below the box. */
export interface Choice {
  key: string
  to: string
  /** Words that are searched for when it is chosen. */
  words?: string
  shown: ReactNode
}

interface SearchChoicesProps {
  /** Of the box; the list and its options have ids made of it. */
  id: string
  label: string
  choices: readonly Choice[]
  active: number
  onPoint: (index: number) => void
  onChoose: (choice: Choice) => void
  children: ReactNode
}

export function SearchChoices({ id, label, choices, active, onPoint, onChoose, children }: SearchChoicesProps) {
  return (
    // The box keeps the keyboard while something is pressed with a finger.
    <Popup onMouseDown={event => event.preventDefault()}>
      <div id={`${id}-list`} role="listbox" aria-label={label}>
        {choices.map((choice, index) => (
          <Option
            key={choice.key}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            onClick={() => onChoose(choice)}
            onMouseMove={() => onPoint(index)}
          >
            {choice.shown}
          </Option>
        ))}
      </div>
      {children}
    </Popup>
  )
}

export const again = (words: string, to: string): Choice => ({
  key: words,
  to,
  words,
  shown: (
    <>
      <SearchIcon size={16} />
      <span>{words}</span>
    </>
  ),
})

export function fromShop(suggested: ReturnType<typeof useSuggestions>, searchFor: (words: string) => string): Choice[] {
  if (!suggested) return []
  const { correction, terms, products } = suggested
  return [
    ...(correction
      ? [
          {
            key: 'correction',
            to: searchFor(correction),
            words: correction,
            shown: (
              <span>
                Did you mean <strong>{correction}</strong>?
              </span>
            ),
          },
        ]
      : []),
    ...terms.map(({ label, field, value }) => {
      const shelf = field === 'CATEGORY' ? null : shelfFor(field, value)
      return {
        key: `${field} ${value}`,
        to: shelf?.path ?? searchFor(label),
        shown: (
          <>
            <ArrowRightIcon size={16} />
            <span>
              {shelf?.heading ?? label} <small>{TERMS[field]}</small>
            </span>
          </>
        ),
      }
    }),
    ...products.map(({ id, name, image, price }) => ({
      key: id,
      to: paths.product(id, name),
      shown: (
        <>
          <Picture src={image} alt="" sizes="3rem" />
          <Name>{name}</Name>
          <Money cents={price} />
        </>
      ),
    })),
  ]
}

const TERMS = { CATEGORY: 'category', KIND: 'shelf', WEIGHT_CLASS: 'weight', FIBRE: 'fibre', COLOUR: 'colour' } as const

const Popup = styled.div`
  position: absolute;
  inset: calc(100% + ${space[1]}) 0 auto;
  z-index: ${depth.menu};
  max-height: min(34rem, 75dvh);
  overflow-y: auto;
  padding: ${space[2]};
  background: ${color.raised};
  border: 1px solid ${color.line};
  border-radius: ${radius.md};
  box-shadow: ${shadow};
`
const Option = styled.div`
  display: flex;
  align-items: center;
  gap: ${space[3]};
  min-height: ${control.md};
  padding: ${space[1]} ${space[3]};
  border-radius: ${radius.sm};
  font-size: ${size.sm};
  line-height: 1.3;
  cursor: pointer;
  > span:first-child:has(img) {
    flex: none;
    width: 3rem;
  }
  > svg {
    color: ${color.textQuiet};
  }
  small {
    margin-left: ${space[1]};
    color: ${color.textQuiet};
  }
  &[aria-selected='true'] {
    background: ${color.band};
  }
`
const Name = styled.span`
  flex: 1;
  min-width: 0;
  font: ${weight.medium} ${size.md} / 1.2 ${font.serif};
`
