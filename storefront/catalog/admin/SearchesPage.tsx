import { useQuery } from '@apollo/client/react'
import { type FormEvent, useState } from 'react'
import { styled } from 'styled-components'
import { linkTo, ListFoot, ListResult, Panel, Toolbar, WithAside } from '../../admin/AdminList.tsx'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { oneOf, useListState } from '../../data/list-state.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { paths } from '../../paths.ts'
import { color, control, size, space } from '../../theme/tokens.ts'
import { Button } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/table-column.ts'
import { formatDay } from '../../ui/dates.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterChips } from '../../ui/FilterChips.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Link } from '../../ui/Link.tsx'
import { TrashIcon } from '../../ui/page-icons.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { notify } from '../../ui/toast.ts'
import {
  DeleteSynonymDocument,
  type MeaningFragment,
  SaveSynonymDocument,
  SearchTermsDocument,
  type SearchTermsQuery,
  SynonymsDocument,
} from './Searches.gql.ts'

type Term = SearchTermsQuery['searchTerms']['items'][number]

const OUTCOMES = ['FOUND', 'NOT_FOUND'] as const

/** What people searched for, what they found, and what means the same as what they say. */
export default function SearchesPage() {
  const list = useListState()
  const outcome = oneOf(list.get('outcome'), OUTCOMES)
  const { data, previousData, error, loading, refetch } = useQuery(SearchTermsDocument, {
    variables: { outcome, page: list.page },
  })
  const terms = (data ?? previousData)?.searchTerms
  const [meant, setMeant] = useState<string | null>(null)

  return (
    <AdminPage title="Searches">
      <Toolbar>
        <FilterChips
          label="Outcome"
          current={outcome ?? ''}
          chips={[
            { key: '', label: 'All' },
            { key: 'FOUND', label: 'Found something' },
            { key: 'NOT_FOUND', label: 'Found nothing' },
          ]}
          link={linkTo(key => list.to({ outcome: key.toLowerCase() }))}
        />
      </Toolbar>
      <Hint>The last 30 days: words and how often, never who.</Hint>
      <WithAside>
        <div>
          <ListResult
            total={terms?.total}
            error={error}
            loading={loading}
            onRetry={() => void refetch()}
            empty={
              <EmptyState
                title={outcome === 'NOT_FOUND' ? 'Every search found something.' : 'Nobody has searched yet.'}
                action={outcome && <Link to={list.to({ outcome: null })}>Show all searches</Link>}
              />
            }
          >
            {terms && (
              <>
                <DataTable
                  caption="Searches"
                  columns={columnsFor(setMeant)}
                  rows={terms.items}
                  rowId={term => term.words}
                  stale={loading}
                />
                <ListFoot served={terms} list={list} noun="search" plural="searches" />
              </>
            )}
          </ListResult>
        </div>
        <Synonyms onAdd={() => setMeant('')} />
      </WithAside>
      <MeaningDialog key={meant ?? 'none'} words={meant} onClose={() => setMeant(null)} />
    </AdminPage>
  )
}

const figure = (header: string, read: (term: Term) => number): Column<Term> => ({
  id: header,
  header,
  numeric: true,
  width: '6rem',
  cell: term => read(term).toLocaleString('en-US'),
})

function columnsFor(onMean: (words: string) => void): Column<Term>[] {
  return [
    {
      id: 'WORDS',
      header: 'Words',
      lead: true,
      cell: ({ words }) => <Link to={paths.search(words)}>{words}</Link>,
    },
    figure('Searches', term => term.searches),
    figure('With hits', term => term.hits),
    figure('No hits', term => term.noHits),
    figure('Clicks', term => term.clicks),
    {
      id: 'LAST',
      header: 'Last',
      width: '7rem',
      cell: ({ lastSearchedAt }) => <time dateTime={lastSearchedAt}>{formatDay(lastSearchedAt)}</time>,
    },
    {
      id: 'ACTIONS',
      header: 'Actions',
      hideHeader: true,
      numeric: true,
      width: '9rem',
      cell: ({ words }) => (
        <Button size="sm" variant="quiet" aria-label={`Add synonym … of ${words}`} onClick={() => onMean(words)}>
          Add synonym …
        </Button>
      ),
    },
  ]
}

function Synonyms({ onAdd }: { onAdd: () => void }) {
  const { data, error, loading, refetch } = useQuery(SynonymsDocument)
  const [wanted, setWanted] = useState('')
  const found = data?.synonyms.filter(({ words }) => words.some(each => each.includes(wanted.toLowerCase())))
  return (
    <Panel aria-labelledby="synonyms">
      <header>
        <h2 id="synonyms">What means the same</h2>
      </header>
      <SearchField label="Search synonyms" placeholder="A word" value={wanted} maxLength={60} onSearch={setWanted} />
      <ListResult
        total={found?.length}
        error={error}
        loading={loading}
        onRetry={() => void refetch()}
        empty={<Hint>No synonyms{wanted && ` with “${wanted}”`}.</Hint>}
      >
        <Meanings>
          {found?.map(synonym => (
            <Meaning key={synonym.id} synonym={synonym} />
          ))}
        </Meanings>
      </ListResult>
      <div>
        <Button variant="quiet" onClick={onAdd}>
          Add synonym …
        </Button>
      </div>
    </Panel>
  )
}

/** Turns the `p` that the search writes for a decimal point in sizes back into a point. */
const asWritten = (words: readonly string[]) => words.join(' = ').replaceAll(/(?<=\d)p(?=\d)/g, '.')

function Meaning({ synonym: { id, words } }: { synonym: MeaningFragment }) {
  const [remove, { loading }] = useShopMutation(DeleteSynonymDocument)
  return (
    <li>
      <span>{asWritten(words)}</span>
      <IconButton
        label={`Remove ${asWritten(words)}`}
        size="sm"
        disabled={loading}
        onClick={() => void remove({ id }).then(payload => payload && notify.success('Synonym removed successfully.'))}
      >
        <TrashIcon size={18} />
      </IconButton>
    </li>
  )
}

/** `words`: the text the new synonym begins with; null while the dialog is closed. */
function MeaningDialog({ words, onClose }: { words: string | null; onClose: () => void }) {
  const [text, setText] = useState(words ? `${words}\n` : '')
  const [problem, setProblem] = useState<string | null>(null)
  const [save, { loading }] = useShopMutation(SaveSynonymDocument)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (loading) return
    const ways = text
      .split(/[\n,]/)
      .map(way => way.trim())
      .filter(Boolean)
    if (ways.length < 2) return setProblem('Please give two ways to say it, or more.')
    const payload = await save({ input: { words: ways } })
    if (!payload) return
    notify.success('Synonym saved. It works from the next search on.')
    onClose()
  }

  return (
    <FormDialog
      open={words !== null}
      onClose={onClose}
      title="Add a synonym"
      description="A search for one of these words finds products with any of them."
      action="Save"
      loading={loading}
    >
      {id => (
        <form id={id} noValidate onSubmit={event => void submit(event)}>
          <TextArea
            label="Words"
            hint="One way to say it a line, for example: dpn, double-pointed needle."
            rows={4}
            maxLength={1_000}
            value={text}
            onChange={event => {
              setText(event.target.value)
              setProblem(null)
            }}
            error={problem}
          />
        </form>
      )}
    </FormDialog>
  )
}

const Hint = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
const Meanings = styled.ul`
  max-height: 32rem;
  padding: 0;
  overflow-y: auto;
  list-style: none;
  font-size: ${size.sm};
  line-height: 1.35;
  li {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: ${space[3]};
    min-height: ${control.md};
    border-bottom: 1px solid ${color.line};
  }
  span {
    min-width: 0;
    overflow-wrap: anywhere;
  }
`
