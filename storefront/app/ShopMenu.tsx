import { type RefObject, type ToggleEvent, useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { styled } from 'styled-components'
import { COLOUR_FAMILIES } from '#schema/rules/facts/shelf-names'
import { COLOUR_SHELVES, FIBRE_SHELVES, type Shelf, SUPPLY_SHELVES, WEIGHT_SHELVES, YARN } from '#schema/rules/shelves'
import { paths } from '../paths.ts'
import { below, color, control, font, from, measure, motion, size, space, weight } from '../theme/tokens.ts'
import { Container } from '../ui/Container.tsx'
import { ChevronDownIcon, CloseIcon, MenuIcon } from '../ui/icons.tsx'
import { iconButtonLook } from '../ui/IconButton.tsx'
import { Kept } from '../ui/Kept.tsx'
import { Link } from '../ui/Link.tsx'
import { Swatch } from '../ui/Swatch.tsx'

const MENU = 'shelves-menu'

/** The fibres of most yarns; the facets of a list offer all the others. */
const FIBRES = [
  'MERINO',
  'WOOL',
  'SHETLAND',
  'BLUEFACED_LEICESTER',
  'ALPACA',
  'MOHAIR',
  'SILK',
  'COTTON',
  'LINEN',
] as const
const FIBRES_SHOWN = FIBRES.flatMap(name => FIBRE_SHELVES.filter(({ filter }) => filter.fibre?.[0] === name))

const OTHERS = [...SUPPLY_SHELVES, { path: paths.topRated(), label: 'Top rated' }]

/** Opens the drawer of shelves where there is no room for the row. */
export function MenuButton() {
  return (
    <Burger type="button" popoverTarget={MENU} aria-label="Shop by shelf">
      <MenuIcon size={22} />
    </Burger>
  )
}

/**
 * The shelves: a row of links with a panel for yarn, and a drawer with all of them on phones. The panel is the browser's
 * own popover: its links are part of the page, and open and close without our script.
 */
export function ShopMenu() {
  const { pathname } = useLocation()
  const panel = useRef<HTMLDivElement>(null)
  const close = useRef<HTMLButtonElement>(null)
  const current = [YARN, ...OTHERS].find(({ path }) => pathname === path || pathname.startsWith(`${path}/`))?.path

  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    // Browsers without popovers show the panel as a plain list.
    panel.current?.hidePopover?.()
  }, [pathname])

  return (
    <Shelves aria-label="Shelves">
      <Kept as={Row} of={Ways} facts={{ current, isPage: current === pathname }} />
      <Kept
        as={Panel}
        ref={panel}
        id={MENU}
        popover="auto"
        onToggle={(event: ToggleEvent) => event.newState === 'open' && close.current?.focus()}
        of={AllShelves}
        facts={{ close }}
      />
    </Shelves>
  )
}

/** The row of links. `current` is the one the page belongs to; with `isPage`, the page itself. */
function Ways({ current, isPage }: { current: string | undefined; isPage: boolean }) {
  return (
    <>
      <li>
        <Opener type="button" popoverTarget={MENU} data-current={current === YARN.path || undefined}>
          Yarn
          <ChevronDownIcon size={16} />
        </Opener>
      </li>
      {OTHERS.map(({ path, label }) => (
        <li key={path}>
          <Link
            to={path}
            aria-current={isPage && path === current ? 'page' : undefined}
            data-current={path === current || undefined}
          >
            {label}
          </Link>
        </li>
      ))}
    </>
  )
}

function AllShelves({ close }: { close: RefObject<HTMLButtonElement | null> }) {
  return (
    <Inside>
      <Top>
        <p>Shelves</p>
        <Close ref={close} type="button" popoverTarget={MENU} popoverTargetAction="hide" aria-label="Close menu">
          <CloseIcon size={20} />
        </Close>
      </Top>
      <All to={YARN.path}>All yarn</All>
      <Group title="By weight" shelves={WEIGHT_SHELVES} />
      <Group title="By fibre" shelves={FIBRES_SHOWN} />
      <Colours>
        <h2>By colour</h2>
        <ul>
          {COLOUR_SHELVES.map(({ path, label }, index) => (
            <li key={path}>
              <Link to={path}>
                <Swatch $family={COLOUR_FAMILIES[index] ?? 'UNDYED'} />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </Colours>
      <Rest>
        {OTHERS.map(({ path, label }) => (
          <li key={path}>
            <Link to={path}>{label}</Link>
          </li>
        ))}
      </Rest>
    </Inside>
  )
}

function Group({ title, shelves }: { title: string; shelves: readonly Shelf[] }) {
  return (
    <div>
      <h2>{title}</h2>
      <ul>
        {shelves.map(({ path, label }) => (
          <li key={path}>
            <Link to={path}>{label}</Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

const Burger = styled.button<{ $size?: 'sm' | 'md' }>`
  ${iconButtonLook}
  margin-left: -${space[3]};
  ${from.desktop} {
    display: none;
  }
`
const Shelves = styled.nav`
  anchor-name: --shelves;
`
const Row = styled(Container).attrs({ as: 'ul' })`
  display: none;
  list-style: none;
  gap: ${space[5]};
  a,
  button {
    display: inline-flex;
    align-items: center;
    gap: ${space[1]};
    min-height: ${control.md};
    padding: 0;
    border: 0;
    background: none;
    font: ${weight.medium} ${size.sm} / 1.2 ${font.sans};
    text-decoration: none;
    text-decoration-thickness: 1px;
    text-underline-offset: 0.35em;
    &:hover,
    &[data-current] {
      text-decoration-line: underline;
    }
  }
  ${from.desktop} {
    display: flex;
  }
`
const Opener = styled.button`
  svg {
    transition: rotate ${motion.fast};
  }
  ${Shelves}:has(:popover-open) & svg {
    rotate: 180deg;
  }
`
const Panel = styled.div`
  margin: 0;
  border: 0;
  background: ${color.raised};
  color: ${color.text};
  &::backdrop {
    background: ${color.scrim};
  }
  ${below.desktop} {
    inset: 0 auto 0 0;
    width: min(22rem, 100vw);
    height: 100dvh;
    max-height: none;
    padding: 0;
    overflow-y: auto;
    overscroll-behavior: contain;
    transition:
      translate ${motion.slow},
      overlay ${motion.slow} allow-discrete,
      display ${motion.slow} allow-discrete;
    translate: -100% 0;
    &:popover-open {
      translate: 0 0;
      @starting-style {
        translate: -100% 0;
      }
    }
  }
  ${from.desktop} {
    /* Right below the row: the height of the header, for browsers without anchor positioning. */
    position: absolute;
    inset: 7rem 0 auto;
    position-anchor: --shelves;
    @supports (top: anchor(bottom)) {
      top: anchor(bottom);
    }
    width: auto;
    padding: ${space[5]} 0 ${space[6]};
    border-block: 1px solid ${color.line};
    box-shadow: 0 1.5rem 2rem -1rem ${color.shadow};
    &::backdrop {
      background: none;
    }
  }
`
const Inside = styled.div`
  h2 {
    font: ${weight.strong} ${size.xs} / 1.3 ${font.sans};
    letter-spacing: 0;
    color: ${color.textQuiet};
  }
  ul {
    padding: 0;
    list-style: none;
  }
  a {
    display: flex;
    align-items: center;
    gap: ${space[3]};
    min-height: ${control.md};
    text-decoration: none;
    &:hover {
      text-decoration: underline;
      text-decoration-thickness: 1px;
    }
  }
  > div {
    margin-top: ${space[4]};
  }
  ${below.desktop} {
    padding: 0 ${space[5]} ${space[6]};
  }
  ${from.desktop} {
    display: grid;
    grid-template-columns: 1fr 1fr 1fr 2fr;
    gap: 0 ${space[6]};
    width: 100%;
    max-width: calc(${measure.page} + 2 * ${measure.gutter});
    margin-inline: auto;
    padding-inline: ${measure.gutter};
    > div {
      margin-top: 0;
    }
    a {
      min-height: 2.125rem;
      font-size: ${size.sm};
    }
    h2 {
      margin-bottom: ${space[2]};
    }
  }
`
const Top = styled.div`
  position: sticky;
  top: 0;
  z-index: 1;
  display: flex;
  align-items: center;
  justify-content: space-between;
  margin: 0 -${space[5]};
  padding: ${space[3]} ${space[3]} ${space[3]} ${space[5]};
  background: ${color.raised};
  border-bottom: 1px solid ${color.line};
  p {
    font: ${weight.medium} ${size.xl} / 1.2 ${font.serif};
  }
  && {
    margin-top: 0;
  }
  ${from.desktop} {
    display: none;
  }
`
const Close = styled.button<{ $size?: 'sm' | 'md' }>`
  ${iconButtonLook}
`
const All = styled(Link)`
  && {
    font: ${weight.medium} ${size.lg} / 1.2 ${font.serif};
    align-self: start;
    ${from.desktop} {
      font-size: ${size.xl};
    }
  }
`
const Colours = styled.div`
  ul {
    display: grid;
    grid-template-columns: 1fr 1fr;
    column-gap: ${space[5]};
    ${from.desktop} {
      grid-auto-flow: column;
      grid-template-rows: repeat(7, auto);
    }
  }
`
const Rest = styled.ul`
  margin-top: ${space[4]};
  border-top: 1px solid ${color.line};
  && {
    padding-top: ${space[3]};
  }
  a {
    font: ${weight.medium} ${size.lg} / 1.2 ${font.serif};
  }
  ${from.desktop} {
    display: none;
  }
`
