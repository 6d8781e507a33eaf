import { useContext } from 'react'
import { styled } from 'styled-components'
import { SHOP_PAGES } from '#schema/rules/shop-pages'
import { paths } from '../paths.ts'
import { color, control, font, from, measure, size, space } from '../theme/tokens.ts'
import { Container } from '../ui/Container.tsx'
import { Kept } from '../ui/Kept.tsx'
import { Link } from '../ui/Link.tsx'
import { UnitSwitch } from '../ui/UnitSwitch.tsx'
import { ShopContext } from './Head.tsx'

export function Footer() {
  const { name, tagline } = useContext(ShopContext)
  return <Kept as={Foot} data-print="hide" of={Inside} facts={{ name, tagline, year: thisYear() }} />
}

function Inside({ name, tagline, year }: { name: string; tagline: string; year: number }) {
  return (
    <>
      <Knit aria-hidden="true" focusable="false">
        <defs>
          <pattern id="knit" width="18" height="9" patternUnits="userSpaceOnUse">
            <path d="M2-10 7.4-1M16-10l-5.4 9M2-1l5.4 9M16-1l-5.4 9M2 8l5.4 9M16 8l-5.4 9" />
          </pattern>
        </defs>
        <rect width="100%" height="36" fill="url(#knit)" />
      </Knit>
      <Row>
        <p>{tagline}</p>
        <nav aria-label="Shop">
          <ul>
            <li>
              <Link to={paths.home()}>All products</Link>
            </li>
            <li>
              <Link to={paths.topRated()}>Top rated</Link>
            </li>
            <li>
              <Link to={paths.newsletter()} preventScrollReset>
                Newsletter
              </Link>
            </li>
            <li>
              <Link to={paths.cart()}>Cart</Link>
            </li>
            <li>
              <UnitSwitch />
            </li>
          </ul>
        </nav>
        <small>
          © {year} {name}
        </small>
        <nav aria-label="About the shop">
          <ul>
            {SHOP_PAGES.map(({ slug, label }) => (
              <li key={slug}>
                <Link to={paths.shopPage(slug)}>{label}</Link>
              </li>
            ))}
          </ul>
        </nav>
      </Row>
    </>
  )
}

// In UTC, so that server and browser write the same year.
const thisYear = () => new Date().getUTCFullYear()

const Foot = styled.footer`
  color: ${color.textQuiet};
  font-size: ${size.sm};
`
/** Three rows of stocking stitch: the cast-off edge of the page. */
const Knit = styled.svg`
  display: block;
  width: 100%;
  height: 36px;
  path {
    stroke: ${color.line};
    stroke-width: 3.5;
    stroke-linecap: round;
  }
`
const Row = styled(Container)`
  display: grid;
  gap: ${space[4]};
  padding-block: ${space[5]} ${space[6]};
  p {
    max-width: ${measure.narrow};
    font: 1.25rem/1.3 ${font.serif};
    font-style: italic;
    color: ${color.text};
  }
  ul {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: ${space[1]} ${space[5]};
    padding: 0;
    list-style: none;
  }
  a {
    display: inline-flex;
    align-items: center;
    min-height: ${control.sm};
    text-decoration: none;
    &:hover {
      text-decoration: underline;
      color: ${color.text};
    }
  }
  ${from.desktop} {
    grid-template-columns: 1fr auto;
    align-items: baseline;
    column-gap: ${space[7]};
    ul {
      justify-content: flex-end;
    }
  }
`
