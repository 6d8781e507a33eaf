import { styled } from 'styled-components'
import { currentMode, setMode } from '../theme/mode.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { MoonIcon, SunIcon } from '../ui/icons.tsx'
import { onlyWithScript } from '../ui/NeedsScript.tsx'

/** Both icons are in the page, and the theme shows the icon of the other theme (themes.ts), so server and browser agree. */
export function ThemeToggle() {
  return (
    <Toggle label="Switch between light and dark" onClick={() => setMode(currentMode() === 'dark' ? 'light' : 'dark')}>
      <SunIcon />
      <MoonIcon />
    </Toggle>
  )
}

const Toggle = styled(IconButton)`
  ${onlyWithScript}
  svg:first-child {
    display: var(--sun);
  }
  svg:last-child {
    display: var(--moon);
  }
`
