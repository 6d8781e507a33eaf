import type { FormEvent } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router-dom'
import { styled } from 'styled-components'
import { limits } from '#schema/rules/limits'
import { paths } from '../paths.ts'
import { color, control, motion, size, space } from '../theme/tokens.ts'
import { iconButtonLook } from '../ui/IconButton.tsx'
import { SearchIcon } from '../ui/icons.tsx'

/** Searches what is being looked at: everything, or the top-rated products. Nothing typed leads home. SPEC §5. */
export function SearchBox() {
  const { keyword = '' } = useParams()
  const { pathname } = useLocation()
  const navigate = useNavigate()

  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget).get('keyword') ?? '').trim()
    if (!typed) void navigate(paths.home())
    else void navigate(pathname.startsWith('/top-rated') ? paths.topRatedSearch(typed) : paths.search(typed))
  }

  return (
    <Form role="search" onSubmit={search}>
      <input
        key={keyword}
        type="search"
        name="keyword"
        aria-label="Search products"
        placeholder="Search yarn, fibre, colour …"
        defaultValue={keyword.slice(0, limits.keyword)}
        maxLength={limits.keyword}
        autoComplete="off"
        enterKeyHint="search"
      />
      <Submit type="submit" aria-label="Search">
        <SearchIcon size={20} />
      </Submit>
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
