import { nth } from '#schema/rules/present'
import type { OpenApi } from './docs-page.ts'

/** The calls as a collection for Postman and what reads its format (v2.1): a folder for each kind of thing, with examples filled in. */
export function postmanCollection({ info, servers, tags, paths }: OpenApi) {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  return {
    info: {
      name: 'Skein',
      description: info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'shop', value: nth(servers, 0).url },
      { key: 'token', value: '' },
    ],
    item: tags.map(({ name }) => ({
      name,
      item: calls.filter(({ operation }) => operation.tags.includes(name)).map(requestOf),
    })),
  }
}

function requestOf({ path, method, operation }: { path: string; method: string; operation: Call }) {
  const { summary, description, security, parameters = [], requestBody } = operation
  const of = (place: string) => parameters.filter(each => each.in === place)
  const entry = (each: (typeof parameters)[number]) => ({
    key: each.name,
    value: String(each.example ?? ''),
    description: each.description,
  })
  const steps = path.slice(1).replace(/\{(\w+)\}/g, ':$1')
  const json = requestBody?.content['application/json']
  return {
    name: summary,
    request: {
      method,
      description,
      ...(security.length === 0 && { auth: { type: 'noauth' } }),
      header: [
        ...(json ? [{ key: 'Content-Type', value: 'application/json' }] : []),
        ...of('header').map(each => ({ ...entry(each), disabled: true })),
      ],
      url: {
        raw: `{{shop}}/${steps}`,
        host: ['{{shop}}'],
        path: steps.split('/'),
        variable: of('path').map(entry),
        query: of('query').map(each => ({ ...entry(each), disabled: true })),
      },
      ...(json && { body: { mode: 'raw', raw: JSON.stringify(json.example, null, 2) } }),
      ...(requestBody?.content['multipart/form-data'] && {
        body: { mode: 'formdata', formdata: [{ key: 'image', type: 'file', src: [] }] },
      }),
    },
  }
}

type Call = OpenApi['paths'][string][string]
