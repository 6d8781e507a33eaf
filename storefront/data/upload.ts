import type { TypedDocumentNode } from '@apollo/client'
import { type DocumentNode, print } from 'graphql'
import { present } from '#schema/rules/present'
import { FALLBACK_MESSAGE, SessionExpired } from './errors.ts'

export interface UploadOptions {
  token: string | undefined
  /** Called with how much has been sent, 0 to 1. */
  onProgress?: (part: number) => void
  signal?: AbortSignal
}

/**
 * Sends a mutation of which one variable is a file, as multipart/form-data (the GraphQL multipart request specification). Not through
 * Apollo's fetch: only XMLHttpRequest reports how far an upload has got.
 */
export function upload<Data, Variables extends Record<string, unknown>>(
  mutation: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  { token, onProgress, signal }: UploadOptions,
): Promise<Data> {
  const form = new FormData()
  const [name, file] = present(
    Object.entries(variables).find((each): each is [string, File] => each[1] instanceof File),
  )
  const others = { ...variables, [name]: null }
  form.append('operations', JSON.stringify({ query: print(mutation as DocumentNode), variables: others }))
  form.append('map', JSON.stringify({ 0: [`variables.${name}`] }))
  form.append('0', file)

  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const fail = (message: string) => reject(new Error(message))
    request.open('POST', '/graphql')
    request.responseType = 'text'
    request.setRequestHeader('apollo-require-preflight', 'true')
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.addEventListener(
      'progress',
      event => event.lengthComputable && onProgress?.(event.loaded / event.total),
    )
    request.addEventListener('load', () => {
      const answer = parsed<Data>(request.responseText)
      if (token && request.status === 401)
        reject(new SessionExpired(answer?.errors?.[0]?.message ?? answer?.message ?? FALLBACK_MESSAGE))
      else if (answer?.errors?.[0]) fail(answer.errors[0].message || FALLBACK_MESSAGE)
      else if (answer?.data) resolve(answer.data)
      else fail(answer?.message ?? (request.status === 413 ? 'The file is too large.' : FALLBACK_MESSAGE))
    })
    request.addEventListener('error', () => fail('The file could not be sent. Check your connection and try again.'))
    request.addEventListener('abort', () => fail('The upload was cancelled.'))
    signal?.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}

interface Answer<Data> {
  data?: Data | null
  errors?: { message: string }[]
  message?: string
}

function parsed<Data>(text: string): Answer<Data> | null {
  try {
    return JSON.parse(text) as Answer<Data>
  } catch {
    return null
  }
}
