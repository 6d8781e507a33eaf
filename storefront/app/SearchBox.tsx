import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router-dom'
import { styled } from 'styled-components'
import { limits } from '#schema/rules/limits'
import { shelfFor } from '#schema/rules/shelves'
import { useHydrated } from '../data/stored.ts'
import { paths } from '../paths.ts'
import { color, control, font, motion, radius, shadow, size, space, weight } from '../theme/tokens.ts'
import { depth } from '../theme/z-index.ts'
import { iconButtonLook } from '../ui/IconButton.tsx'
import { ArrowRightIcon, SearchIcon } from '../ui/icons.tsx'
import { Money } from '../ui/Money.tsx'
import { Picture } from '../ui/Picture.tsx'
import { TextButton } from '../ui/TextButton.tsx'
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx'
import { forgetSearches, rememberSearch, useRecentSearches } from './recent-searches.ts'
import { useSuggestions } from './use-suggestions.ts'

/** Something to choose below the box. */
interface Choice {
  key: string
  to: string
  /** The words to search for when it is chosen. */
  words?: string
  shown: ReactNode
}

/** Searches the list on screen: everything, or the top-rated products. An empty search leads to the home page. SPEC §5. */
export function SearchBox() {
  const { keyword = '' } = useParams()
  // The key resets the box for each search, so that it never shows the words of the one before.
  return <Box key={keyword} keyword={keyword.slice(0, limits.keyword)} />
}

function Box({ keyword }: { keyword: string }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(keyword)
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const hydrated = useHydrated()
  const recent = useRecentSearches()
  const words = typed.trim().slice(0, limits.keyword)
  const suggested = useSuggestions(open ? words : '')
  const inTopRated = pathname.startsWith('/top-rated')
  const searchFor = inTopRated ? paths.topRatedSearch : paths.search
  const choices = words ? fromShop(suggested, searchFor) : recent.map(words => again(words, searchFor(words)))
  const shown = open && choices.length > 0

  const leaveFor = (to: string, words?: string) => {
    if (words) rememberSearch(words)
    setOpen(false)
    setActive(-1)
    void navigate(to)
  }
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const words = String(new FormData(event.currentTarget).get('keyword') ?? '').trim()
    leaveFor(words ? searchFor(words) : paths.home(), words)
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step) {
      event.preventDefault()
      setOpen(true)
      // The arrow keys pass through the box itself: -1 is what was typed.
      if (shown) setActive(((active + 1 + step + choices.length + 1) % (choices.length + 1)) - 1)
    } else if (event.key === 'Enter' && shown && choices[active]) {
      event.preventDefault()
      leaveFor(choices[active].to, choices[active].words)
    } else if (event.key === 'Escape' && shown) {
      event.preventDefault()
      setOpen(false)
      setActive(-1)
    }
  }

  return (
    <Form
      role="search"
      method="get"
      action={inTopRated ? '/top-rated/search' : '/search'}
      onSubmit={search}
      onBlur={event => {
        if (event.currentTarget.contains(event.relatedTarget)) return
        setOpen(false)
        setActive(-1)
      }}
    >
      <input
        ref={field}
        type="search"
        name="keyword"
        aria-label="Search products"
        placeholder="Search yarn, fibre, colour …"
        defaultValue={keyword}
        maxLength={limits.keyword}
        autoComplete="off"
        enterKeyHint="search"
        onKeyDown={press}
        onInput={event => {
          setTyped(event.currentTarget.value)
          // Text typed before hydration can arrive after the box has lost the focus.
          setOpen(event.currentTarget === document.activeElement)
          setActive(-1)
        }}
        onClick={() => setOpen(true)}
        {...(hydrated && {
          role: 'combobox',
          'aria-expanded': shown,
          'aria-controls': `${id}-list`,
          'aria-autocomplete': 'list' as const,
          'aria-activedescendant': shown && active >= 0 ? `${id}-${active}` : undefined,
        })}
      />
      <Submit type="submit" aria-label="Search">
        <SearchIcon size={20} />
      </Submit>
      <VisuallyHidden role="status">
        {shown && (choices.length === 1 ? '1 suggestion' : `${choices.length} suggestions`)}
      </VisuallyHidden>
      {shown && (
        // The box keeps the focus while a choice is pressed.
        <Popup onMouseDown={event => event.preventDefault()}>
          <div id={`${id}-list`} role="listbox" aria-label={words ? 'Suggestions' : 'Recent searches'}>
            {choices.map(({ key, to, words, shown }, index) => (
              <Option
                key={key}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === active}
                onClick={() => leaveFor(to, words)}
                onMouseMove={() => setActive(index)}
              >
                {shown}
              </Option>
            ))}
          </div>
          {!words && (
            <Forget>
              <TextButton
                onClick={() => {
                  forgetSearches()
                  field.current?.focus()
                }}
              >
                Clear recent searches
              </TextButton>
            </Forget>
          )}
        </Popup>
      )}
    </Form>
  )
}

const again = (words: string, to: string): Choice => ({
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

function fromShop(suggested: ReturnType<typeof useSuggestions>, searchFor: (words: string) => string): Choice[] {
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

const Form = styled.form`
  position: relative;
  input {
    width: 100%;
    height: ${control.md};
    padding: 0 ${space[7]} 0 0;
    border: 0;
    border-bottom: 1px solid ${color.lineStrong};
    border-radius: 0;
    background: transparent;
    font-size: ${size.md};
    appearance: none;
    transition: border-color ${motion.fast};
    &::placeholder {
      color: ${color.textQuiet};
      opacity: 1;
    }
    &:hover,
    &:focus {
      border-color: ${color.text};
    }
    &::-webkit-search-cancel-button {
      display: none;
    }
  }
`
const Submit = styled.button<{ $size?: 'sm' | 'md' }>`
  ${iconButtonLook}
  position: absolute;
  right: 0;
  top: 0;
`
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
const Forget = styled.p`
  padding: ${space[2]} ${space[3]};
  border-top: 1px solid ${color.line};
  font-size: ${size.sm};
`
