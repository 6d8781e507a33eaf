import { styled } from 'styled-components'
import { formatClock, formatMoment } from '../../ui/dates.ts'
import { paths } from '../../paths.ts'
import { color, size, space, weight } from '../../theme/tokens.ts'
import { Badge } from '../../ui/Badge.tsx'
import { ArrowRightIcon } from '../../ui/icons.tsx'
import { Link } from '../../ui/Link.tsx'
import type { AuditLineFragment } from './Audit.gql.ts'
import { actionAlone, actionWords, entityPath, entityWords, fieldName, fieldValue } from './words.ts'

interface AuditEntriesProps {
  entries: readonly AuditLineFragment[]
  /** Name what was changed, and show the time without the day: for a list by days. Left out on a page about one thing. */
  named?: boolean
}

/** Changes, newest first: who, what, when, and each field before and after. */
export function AuditEntries({ entries, named }: AuditEntriesProps) {
  return (
    <List>
      {entries.map(entry => (
        <li key={entry.id}>
          <p>
            <strong>{named ? actionWords[entry.action] : actionAlone(entry.action)}</strong>{' '}
            {named && <What entry={entry} />} by {entry.actor.name}
            {entry.actor.apiKeyName && `, with the key “${entry.actor.apiKeyName}”`}
            {entry.importId && entry.entity !== 'IMPORT' && (
              <>
                , in an <Link to={paths.adminImport(entry.importId)}>import</Link>
              </>
            )}
            <time dateTime={entry.at}>{named ? formatClock(entry.at) : formatMoment(entry.at)}</time>
          </p>
          {entry.changes.length > 0 && (
            <Changes>
              {entry.changes.map(change => (
                <FieldChange key={change.field} {...change} />
              ))}
            </Changes>
          )}
        </li>
      ))}
    </List>
  )
}

function What({ entry }: { entry: AuditLineFragment }) {
  const to = entityPath(entry.entity, entry.entityId)
  return (
    <>
      {entityWords[entry.entity].toLowerCase()} {to ? <Link to={to}>{entry.label}</Link> : entry.label}
    </>
  )
}

interface FieldChangeProps {
  field: string
  before?: string | null
  after?: string | null
  /** The value is removed without a replacement, and that is worth a second look. */
  erased?: boolean
}

/** One field before and after. */
export function FieldChange({ field, before, after, erased }: FieldChangeProps) {
  const was = fieldValue(field, before)
  const is = fieldValue(field, after)
  return (
    <div>
      <dt>{fieldName(field)}</dt>
      <dd>
        {before !== null && before !== undefined && (
          <>
            <del tabIndex={scrolls(was)}>{was}</del> <Became />{' '}
          </>
        )}
        <ins tabIndex={scrolls(is)}>{erased ? <Badge $variant="warning">Erased</Badge> : is}</ins>
      </dd>
    </div>
  )
}

/** A tabindex for long texts, which may be cut off: they can get the focus, so that the keyboard can scroll them. */
const scrolls = (text: string) => (text.length > 100 ? 0 : undefined)

/** The arrow between before and after. */
export const Became = styled(ArrowRightIcon).attrs({ size: 14 })`
  display: inline-block;
  vertical-align: -0.1em;
`

/** A list of FieldChange. */
export const Changes = styled.dl`
  display: grid;
  gap: ${space[1]};
  font-size: ${size.sm};
  line-height: 1.35;
  > div {
    display: grid;
    grid-template-columns: minmax(5rem, 8rem) minmax(0, 1fr);
    gap: ${space[3]};
  }
  dt {
    color: ${color.textQuiet};
  }
  dd {
    font-variant-numeric: lining-nums tabular-nums;
    overflow-wrap: anywhere;
  }
  ins {
    text-decoration: none;
  }
  del {
    color: ${color.textQuiet};
    text-decoration-thickness: 1px;
  }
  del,
  ins {
    display: inline-block;
    max-width: 100%;
    max-height: 10.8em;
    overflow-y: auto;
    vertical-align: top;
  }
`
const List = styled.ol`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  padding: 0;
  list-style: none;
  > li {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: ${space[2]};
    padding-block: ${space[3]};
    border-bottom: 1px solid ${color.line};
  }
  p {
    font-size: ${size.sm};
    line-height: 1.35;
  }
  strong {
    font-weight: ${weight.strong};
  }
  time {
    display: block;
    font-size: ${size.xs};
    color: ${color.textQuiet};
    font-variant-numeric: tabular-nums;
  }
`
