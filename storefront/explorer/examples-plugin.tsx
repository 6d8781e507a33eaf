import { useGraphiQL, useGraphiQLActions, type GraphiQLPlugin } from '@graphiql/react'

export interface Example {
  title: string
  query: string
  variables: Record<string, unknown>
  /** Whose token the example needs, such as "an administrator". */
  needs?: string
}

/** A pane of GraphiQL that opens examples, each in a tab of its own. */
export function examplesPlugin(examples: Example[]): GraphiQLPlugin {
  function Examples() {
    const { addTab, stop } = useGraphiQLActions()
    const editors = useGraphiQL(({ queryEditor, variableEditor }) => ({ queryEditor, variableEditor }))
    function open({ query, variables }: Example) {
      stop()
      addTab()
      editors.queryEditor?.setValue(query)
      editors.variableEditor?.setValue(Object.keys(variables).length > 0 ? JSON.stringify(variables, null, 2) : '')
      editors.queryEditor?.focus()
    }
    return (
      <section className="examples" aria-label="Examples">
        <h2>Examples</h2>
        <ul>
          {examples.map(example => (
            <li key={example.title}>
              <button type="button" onClick={() => open(example)}>
                {example.title}
              </button>
              {example.needs && <small>for {example.needs}</small>}
            </li>
          ))}
        </ul>
        <p>Ctrl + Enter runs what the cursor is in.</p>
      </section>
    )
  }
  return { title: 'Examples', icon: Icon, content: Examples }
}

const Icon = () => (
  <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
    <path d="M6 3h9l4 4v14H6z M9 11h7 M9 15h7" />
  </svg>
)
