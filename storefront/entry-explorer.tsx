import '@vitejs/plugin-react/preamble'
import './explorer/workers.ts'
import '@graphiql/react/style.css'
import '@graphiql/plugin-doc-explorer/style.css'
import 'graphiql/graphiql.css'
import './explorer/explorer.css'
import { createRoot } from 'react-dom/client'
import { Explorer, type PageData } from './explorer/Explorer.tsx'

const data = JSON.parse(document.getElementById('data')!.textContent!) as PageData
createRoot(document.getElementById('explorer')!).render(<Explorer {...data} />)
