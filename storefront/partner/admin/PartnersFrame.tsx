import type { ReactNode } from 'react'
import { styled } from 'styled-components'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { linkTo } from '../../admin/AdminList.tsx'
import { paths } from '../../paths.ts'
import { color, font, measure, size } from '../../theme/tokens.ts'
import { FilterChips } from '../../ui/FilterChips.tsx'

const parts = { 'API keys': paths.adminPartners(), Webhooks: paths.adminWebhooks(), Exports: paths.adminExports() }
type Part = keyof typeof parts

/** What the pages about partners share: heading, and the way from one to the other. */
export function PartnersFrame({ part, actions, children }: { part: Part; actions: ReactNode; children: ReactNode }) {
  return (
    <AdminPage title="Partners" part={part} actions={actions}>
      <FilterChips
        label="Partners"
        current={part}
        chips={(Object.keys(parts) as Part[]).map(key => ({ key, label: key }))}
        link={linkTo<string>(key => parts[key as Part])}
      />
      {children}
    </AdminPage>
  )
}

/** What a list is for. */
export const Lead = styled.p`
  max-width: ${measure.text};
  font-size: ${size.sm};
  color: ${color.textQuiet};
  code {
    font: 0.9em ${font.mono};
  }
`
