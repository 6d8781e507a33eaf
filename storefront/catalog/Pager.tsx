import { styled } from 'styled-components'
import { space } from '../theme/tokens.ts'
import { Link } from '../ui/Link.tsx'
import { type PageLinkProps, Pagination } from '../ui/Pagination.tsx'

/** Marks a move between pages of one list; useListTop then shows the top of the list instead of the top of the page. */
const TO_LIST = { toList: true }

export function Pager({ page, pages, to }: { page: number; pages: number; to: (page: number) => string }) {
  if (pages <= 1) return null
  return (
    <Place>
      <Pagination page={page} pages={pages} label="Pages of products" link={linkTo(to)} />
    </Place>
  )
}

const linkTo = (to: (page: number) => string) => (page: number, props: PageLinkProps) => (
  <Link to={to(page)} state={TO_LIST} preventScrollReset {...props} />
)

const Place = styled.div`
  margin-top: ${space[7]};
`
