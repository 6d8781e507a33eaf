import { useContext } from 'react'
import { styled } from 'styled-components'
import { ShopContext } from '../app/Head.tsx'
import { paths } from '../paths.ts'
import { below, color, control, size, space } from '../theme/tokens.ts'
import { Link } from '../ui/Link.tsx'
import { visuallyHidden } from '../ui/VisuallyHidden.tsx'
import { JsonLd, ServedJsonLd } from './JsonLd.tsx'

export interface Crumb {
  label: string
  path: string
}

/** The path to a page in the shop, the page itself last, for people and for search engines. */
export function Breadcrumbs({ trail }: { trail: readonly Crumb[] }) {
  const steps = [{ label: 'Home', path: paths.home() }, ...trail]
  return (
    <nav aria-label="Breadcrumbs">
      <TrailJsonLd steps={steps} />
      <Steps>
        {steps.map(({ label, path }, index) => (
          <li key={path}>
            {index === steps.length - 1 ? <span aria-current="page">{label}</span> : <Link to={path}>{label}</Link>}
          </li>
        ))}
      </Steps>
    </nav>
  )
}

const TrailJsonLd = import.meta.env.SSR ? WrittenJsonLd : ServedJsonLd

function WrittenJsonLd({ steps }: { steps: readonly Crumb[] }) {
  const { origin } = useContext(ShopContext)
  return (
    <JsonLd
      data={{
        '@type': 'BreadcrumbList',
        itemListElement: steps.map(({ label, path }, index) => ({
          '@type': 'ListItem',
          position: index + 1,
          name: label,
          item: origin + path,
        })),
      }}
    />
  )
}

/** The way back to the previous page, and the path to this one. */
export const Way = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  column-gap: ${space[5]};
`
const Steps = styled.ol`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  column-gap: ${space[2]};
  padding: 0;
  list-style: none;
  font-size: ${size.sm};
  color: ${color.textQuiet};
  li {
    display: flex;
    align-items: center;
    gap: ${space[2]};
    min-width: 0;
  }
  li:not(:first-child)::before {
    content: '/' / '';
    color: ${color.line};
  }
  /* On a phone the last crumb repeats the heading just below, and a second line would move the page when the font arrives. */
  ${below.tablet} {
    li:last-child {
      ${visuallyHidden}
    }
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
`
