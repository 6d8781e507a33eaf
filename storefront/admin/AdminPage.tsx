import type { ReactNode } from 'react'
import { styled } from 'styled-components'
import { Head } from '../app/Head.tsx'
import { paths } from '../paths.ts'
import { color, font, from, size, space } from '../theme/tokens.ts'
import { ChevronRightIcon } from '../ui/page-icons.tsx'
import { Link } from '../ui/Link.tsx'

export interface AdminPageProps {
  title: string
  /** The part of the page that is open, for the title of the window. */
  part?: string
  /** Beside the heading: a badge. */
  badge?: ReactNode
  /** Pages between the dashboard and this one. */
  trail?: readonly { label: string; to: string }[]
  /** Buttons on the right of the heading. */
  actions?: ReactNode
  children: ReactNode
}

/** Head, breadcrumb and heading of every page behind /admin. */
export function AdminPage({ title, part, badge, trail = [], actions, children }: AdminPageProps) {
  return (
    <Page>
      <Head title={`${part ? `${part} – ` : ''}${title} – Admin`} />
      <Top>
        <div>
          {trail.length > 0 && (
            <nav aria-label="Breadcrumb">
              <Trail>
                {[{ label: 'Admin', to: paths.admin() }, ...trail].map(step => (
                  <li key={step.to}>
                    <Link to={step.to}>{step.label}</Link>
                    <ChevronRightIcon size={12} />
                  </li>
                ))}
                <li aria-current="page">{title}</li>
              </Trail>
            </nav>
          )}
          <h1>
            {title} {badge && <Badges>{badge}</Badges>}
          </h1>
        </div>
        {actions && <Actions>{actions}</Actions>}
      </Top>
      {children}
    </Page>
  )
}

const Page = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[4]};
`
const Top = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: flex-end;
  justify-content: space-between;
  gap: ${space[3]} ${space[5]};
  > div {
    min-width: 0;
  }
  h1 {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: ${space[1]} ${space[3]};
    font-size: ${size.h2};
    overflow-wrap: anywhere;
  }
`
const Badges = styled.span`
  font: ${size.sm} / 1 ${font.sans};
  letter-spacing: 0;
`
const Trail = styled.ol`
  display: flex;
  flex-wrap: wrap;
  padding: 0;
  margin-bottom: ${space[1]};
  list-style: none;
  font-size: ${size.xs};
  color: ${color.textQuiet};
  li {
    display: inline-flex;
    align-items: center;
  }
  a {
    padding-block: ${space[1]};
    text-decoration: none;
    &:hover {
      text-decoration: underline;
      color: ${color.text};
    }
  }
  svg {
    margin-inline: ${space[1]};
  }
  li[aria-current] {
    padding-block: ${space[1]};
    color: ${color.text};
  }
`
const Actions = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: ${space[2]};
  ${from.tablet} {
    justify-content: flex-end;
  }
`
