import { GraphiQL } from 'graphiql'
import { useId, useMemo, useState, type SubmitEvent } from 'react'
import { paths } from '../paths.ts'
import { examplesPlugin, type Example } from './examples-plugin.tsx'
import { fetchOperations } from './fetch-operations.ts'

/** What api/graphql/explorer/explorer.ts puts into the page. */
export interface PageData {
  /** The first one is open at the beginning. */
  examples: Example[]
  /** Whether the shop allows introspection of its schema. */
  introspection: boolean
  /** What works differently at this shop. */
  notices: string[]
}

export function Explorer({ examples, introspection, notices }: PageData) {
  const [token, setToken] = useState('')
  const fetcher = useMemo(() => fetchOperations(token), [token])
  const plugin = useMemo(() => examplesPlugin(examples), [examples])
  return (
    <>
      <header className="shop">
        <h1>Skein GraphQL</h1>
        <nav aria-label="Skein">
          <a href={paths.guide()}>Partner guide</a>
          <a href={paths.restDocs()}>REST calls</a>
          <a href={paths.home()}>The shop</a>
        </nav>
        <TokenBox onChange={setToken} />
        {notices.map(notice => (
          <p key={notice}>{notice}</p>
        ))}
      </header>
      <main>
        {/* No history: it would keep what is in the headers box. */}
        <GraphiQL
          fetcher={fetcher}
          plugins={[plugin]}
          visiblePlugin={plugin}
          defaultTabs={examples.slice(0, 1).map(({ query }) => ({ query }))}
          shouldPersistHeaders={false}
          {...(!introspection && { schema: null })}
        >
          <GraphiQL.Logo> </GraphiQL.Logo>
        </GraphiQL>
      </main>
    </>
  )
}

/** Reports the token only when it is complete, because each new token loads the schema again. */
function TokenBox({ onChange }: { onChange: (token: string) => void }) {
  const [id, hint] = [useId(), useId()]
  const tell = (typed: string) => onChange(typed.trim().replace(/^(authorization:\s*)?bearer\s+/i, ''))
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    tell(new FormData(event.currentTarget).get('token') as string)
  }
  return (
    <form onSubmit={submit}>
      <label htmlFor={id}>Token or key</label>
      <input
        id={id}
        name="token"
        type="password"
        autoComplete="off"
        placeholder="Bearer …"
        aria-describedby={hint}
        onBlur={({ target }) => tell(target.value)}
      />
      <small id={hint}>
        Of a session or a partner. Goes along as <code>authorization: Bearer …</code> and is forgotten with this page.
      </small>
    </form>
  )
}
