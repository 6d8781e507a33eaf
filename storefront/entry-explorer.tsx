import '@vitejs/plugin-react/preamble'
import './explorer/workers.ts'
import '@graphiql/react/style.css'
import '@graphiql/plugin-doc-explorer/style.css'
import 'graphiql/graphiql.css'
import './explorer/explorer.css'
import { createRoot } from 'react-dom/client'
import { Explorer, type PageData } from './explorer/Explorer.tsx'

/** The data is in the page that the server wrote. */
function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`The page has no #${id}.`)
  return found
}

const data = JSON.parse(element('data').textContent) as PageData
createRoot(element('explorer')).render(<Explorer {...data} />)
