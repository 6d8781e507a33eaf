import { styled } from 'styled-components'
import { paths } from '../paths.ts'
import { color, measure, space } from '../theme/tokens.ts'
import { AlsoViewed } from './AlsoViewed.tsx'
import { Link } from '../ui/Link.tsx'

/** Under the heading of a search that found nothing. SPEC §2. */
export function NoResults() {
  return (
    <>
      <Tips>
        <p>We looked on every shelf. A few things that help:</p>
        <ul>
          <li>Check your spelling.</li>
          <li>Limit your search to one or two simple keywords.</li>
          <li>Be less specific: “merino” finds more than “merino 4-ply in moss”.</li>
        </ul>
        <p>
          Or have a look at <Link to={paths.topRated()}>our top-rated picks</Link>.
        </p>
      </Tips>
      <AlsoViewed />
    </>
  )
}

const Tips = styled.div`
  display: grid;
  gap: ${space[3]};
  max-width: ${measure.text};
  margin-bottom: ${space[8]};
  a {
    color: ${color.accent};
  }
`
