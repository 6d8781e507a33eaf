import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router-dom'
import { styled } from 'styled-components'
import { limits } from '#schema/rules/limits'
import { useHydrated } from '../data/stored.ts'
import { paths } from '../paths.ts'
import { color, control, motion, size, space } from '../theme/tokens.ts'
import { iconButtonLook } from '../ui/IconButton.tsx'
import { SearchIcon } from '../ui/icons.tsx'
import { TextButton } from '../ui/TextButton.tsx'
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx'
import { forgetSearches, rememberSearch, useRecentSearches } from './recent-searches.ts'
import { again, fromShop, SearchChoices, type Choice } from './SearchChoices.tsx'
import { useSuggestions } from './use-suggestions.ts'

/** Searches what is being looked at: everything, or the top-rated products. Nothing typed leads home. SPEC §5. */
export function SearchBox() {
  const { keyword = '' } = useParams()
  // A key, so that the box holds the words of the search on screen, and nothing of the one before.
  return <Box key={keyword} keyword={keyword.slice(0, limits.keyword)} />
}

/** Where a choice leads, and the words that are searched for there. */
type Going = Pick<Choice, 'to' | 'words'>

/** What can be chosen below the box, of which one may be pointed at. */
function useChoices(keyword: string, searchFor: (words: string) => string, leaveFor: (choice: Going) => void) {
  const [typed, setTyped] = useState(keyword)
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const recent = useRecentSearches()
  const words = typed.trim().slice(0, limits.keyword)
  const suggested = useSuggestions(open ? words : '')
  const choices = words ? fromShop(suggested, searchFor) : recent.map(words => again(words, searchFor(words)))
  const shown = open && choices.length > 0
  const close = () => {
    setOpen(false)
    setActive(-1)
  }
  const choose = (choice: Going) => {
    close()
    leaveFor(choice)
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step) {
      event.preventDefault()
      setOpen(true)
      // Through the box itself: one before the first is what was typed.
      if (shown) setActive(((active + 1 + step + choices.length + 1) % (choices.length + 1)) - 1)
    } else if (event.key === 'Enter' && shown && choices[active]) {
      event.preventDefault()
      choose(choices[active])
    } else if (event.key === 'Escape' && shown) {
      event.preventDefault()
      close()
    }
  }
  return { words, choices, shown, active, setTyped, setOpen, setActive, close, choose, press }
}

function Box({ keyword }: { keyword: string }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const hydrated = useHydrated()
  const inTopRated = pathname.startsWith('/top-rated')
  const searchFor = inTopRated ? paths.topRatedSearch : paths.search
  const { words, choices, shown, active, setTyped, setOpen, setActive, close, choose, press } = useChoices(
    keyword,
    searchFor,
    ({ to, words }) => {
      if (words) rememberSearch(words)
      void navigate(to)
    },
  )
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const words = String(new FormData(event.currentTarget).get('keyword') ?? '').trim()
    choose({ to: words ? searchFor(words) : paths.home(), words })
  }

  return (
    <Form
      role="search"
      method="get"
      action={inTopRated ? '/top-rated/search' : '/search'}
      onSubmit={search}
      onBlur={event => {
        if (!event.currentTarget.contains(event.relatedTarget)) close()
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
          // Typed before the page was alive, and left since.
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
        <SearchChoices
          id={id}
          label={words ? 'Suggestions' : 'Recent searches'}
          choices={choices}
          active={active}
          onPoint={setActive}
          onChoose={choose}
        >
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
        </SearchChoices>
      )}
    </Form>
  )
}

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
const Forget = styled.p`
  padding: ${space[2]} ${space[3]};
  border-top: 1px solid ${color.line};
  font-size: ${size.sm};
`
