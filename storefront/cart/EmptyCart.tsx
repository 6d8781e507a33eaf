import { useQuery } from '@apollo/client/react'
import { styled } from 'styled-components'
import { SUPPLY_SHELVES, WEIGHT_SHELVES, YARN } from '#schema/rules/shelves'
import { AlsoViewedDocument } from '../catalog/AlsoViewed.gql.ts'
import { PickRow } from '../catalog/AlsoViewed.tsx'
import { paths } from '../paths.ts'
import { color, control, measure, radius, size, space } from '../theme/tokens.ts'
import { Link } from '../ui/Link.tsx'

const SHELVES = [YARN, ...WEIGHT_SHELVES, ...SUPPLY_SHELVES]

/** Where to go from a cart with nothing in it. */
export function EmptyCart() {
  // When they cannot be loaded, the page still shows the shelves.
  const picks = useQuery(AlsoViewedDocument).data?.customersAlsoViewed ?? []
  return (
    <Ways>
      <Basket viewBox="0 0 160 96" aria-hidden="true" focusable="false">
        <path d="M30 38h74l-9 50H39zM46 38l13-24M88 38 75 14M52 52v22M67 52v22M82 52v22" />
        <path d="M92 84c18 6 26-10 40-6s2 16-6 10 6-20 28-12" data-thread />
      </Basket>
      <section aria-labelledby="shelves">
        <h2 id="shelves">Start at a shelf</h2>
        <Shelves>
          {SHELVES.map(({ path, label }) => (
            <li key={path}>
              <Link to={path}>{label}</Link>
            </li>
          ))}
        </Shelves>
      </section>
      {picks.length > 0 && (
        <section aria-labelledby="picks">
          <h2 id="picks">
            <Link to={paths.topRated()}>Top rated</Link>
          </h2>
          <PickRow picks={picks} />
        </section>
      )}
    </Ways>
  )
}

const Ways = styled.div`
  display: grid;
  gap: ${space[6]};
  section {
    display: grid;
    gap: ${space[4]};
  }
  h2 {
    font-size: ${size.xl};
  }
`
const Basket = styled.svg`
  width: min(14rem, 60%);
  fill: none;
  stroke: ${color.textQuiet};
  stroke-width: 1.5;
  stroke-linecap: round;
  stroke-linejoin: round;
  [data-thread] {
    stroke: ${color.text};
    stroke-width: 2.5;
  }
`
const Shelves = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: ${space[2]};
  max-width: ${measure.text};
  padding: 0;
  list-style: none;
  a {
    display: inline-flex;
    align-items: center;
    min-height: ${control.md};
    padding: 0 ${space[4]};
    border: 1px solid ${color.lineStrong};
    border-radius: ${radius.pill};
    text-decoration: none;
    &:hover {
      border-color: ${color.text};
      background: ${color.band};
    }
  }
`
