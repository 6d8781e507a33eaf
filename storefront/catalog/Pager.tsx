import { Link } from 'react-router-dom'
import { styled } from 'styled-components'
import { space } from '../theme/tokens.ts'
import { Pagination } from '../ui/Pagination.tsx'

/** Marks a move between pages of one list; useListTop then shows the list's head instead of the page's. */
export const TO_LIST = { toList: true }

export function Pager({ page, pages, to }: { page: number; pages: number; to: (page: number) => string }) {
  if (pages <= 1) return null
  return (
    <Place>
      <Pagination
        page={page}
        pages={pages}
        label="Pages of products"
        link={(number, props) => <Link to={to(number)} state={TO_LIST} preventScrollReset {...props} />}
      />
    </Place>
  )
}

const Place = styled.div`
  margin-top: ${space[7]};
`
