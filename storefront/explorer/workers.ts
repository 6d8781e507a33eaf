import { default as EditorWorker } from 'monaco-editor/esm/vs/editor/editor.worker.js?worker'
import { default as JsonWorker } from 'monaco-editor/esm/vs/language/json/json.worker.js?worker'
import { default as GraphqlWorker } from 'monaco-graphql/esm/graphql.worker.js?worker'

// GraphiQL's own list of workers for Vite does not pass through Vite's development server.
const workers: Record<string, new () => Worker> = { graphql: GraphqlWorker, json: JsonWorker }

Object.assign(globalThis, {
  MonacoEnvironment: { getWorker: (_id: string, language: string) => new (workers[language] ?? EditorWorker)() },
})
