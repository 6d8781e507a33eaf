import { styled } from 'styled-components'
import { messageOf } from '../../data/errors.ts'
import { color, size, space } from '../../theme/tokens.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Panel } from '../../admin/AdminList.tsx'
import type { AuditLineFragment } from './Audit.gql.ts'
import { AuditEntries } from './AuditEntries.tsx'

interface HistoryProps {
  history: { items: readonly AuditLineFragment[]; page: number; pages: number; total: number } | undefined
  error: unknown
  onRetry: () => void
  onPage: (page: number) => void
}

/** What administrators did with a product, an order or an account. */
export function History({ history, error, onRetry, onPage }: HistoryProps) {
  return (
    <Panel aria-labelledby="history">
      <h2 id="history">History</h2>
      {history ? (
        history.total === 0 ? (
          <Quiet>Nothing has been changed yet.</Quiet>
        ) : (
          <AuditEntries entries={history.items} />
        )
      ) : error ? (
        <Notice variant="danger" onRetry={onRetry}>
          {messageOf(error)}
        </Notice>
      ) : (
        <Skeleton $height="6rem" />
      )}
      {history && history.pages > 1 && (
        <Pages>
          <Button size="sm" variant="quiet" disabled={history.page === 1} onClick={() => onPage(history.page - 1)}>
            Newer
          </Button>
          <span>
            {history.page} of {history.pages}
          </span>
          <Button
            size="sm"
            variant="quiet"
            disabled={history.page === history.pages}
            onClick={() => onPage(history.page + 1)}
          >
            Older
          </Button>
        </Pages>
      )}
    </Panel>
  )
}

const Quiet = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
const Pages = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: ${space[3]};
  font-size: ${size.sm};
  color: ${color.textQuiet};
  font-variant-numeric: tabular-nums;
`
