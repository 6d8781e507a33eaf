import type { ApolloCache, OperationVariables, TypedDocumentNode } from '@apollo/client'
import { useMutation } from '@apollo/client/react'
import { useCallback } from 'react'
import { notify } from '../ui/toast.ts'
import { FALLBACK_MESSAGE, messageOf, type UserError } from './errors.ts'

interface Payload {
  userErrors: readonly UserError[]
}

/** For forms whose mutation is chosen by the component that uses them. */
export type OnRefused = (payload: Payload) => void

interface Handlers<P extends Payload, Data> {
  /** Called with a payload that lists refusals, instead of a toast with the first of them. */
  onRefused?: (payload: P) => void
  /** Called with what was thrown when no payload came back, instead of a toast with its message. */
  onFailed?: (error: unknown) => void
  /** The likely answer, shown until the real one arrives. */
  optimistic?: Data
}

interface Options<Data, Variables> {
  /** Sends the mutation without the session, for example when signing in. */
  asVisitor?: boolean
  /** Waits for mutations that were sent before with the same name here. */
  inOrder?: string
  /** Writes the answer, or the likely one, to the cache. */
  update?: (cache: ApolloCache, data: Data, variables: Variables) => void
}

/**
 * A mutation whose payload lists refusals, as all but the simplest in the contract do. Running it returns the
 * payload when nothing was refused; otherwise it shows why (SPEC §8) and returns null. An expired session
 * is handled at a lower level, in data/apollo.ts.
 */
export function useShopMutation<Data extends Record<string, Payload>, Variables extends OperationVariables>(
  document: TypedDocumentNode<Data, Variables>,
  { asVisitor = false, inOrder, update }: Options<Data, Variables> = {},
) {
  type P = Data[keyof Data]
  const [mutate, { loading }] = useMutation<Data>(document, {
    context: { ...(asVisitor && { bearer: null }), ...(inOrder && { inOrder }) },
    ...(update && {
      update: (cache, { data }, { variables }) => {
        if (data) update(cache, data as Data, variables as Variables)
      },
    }),
  })

  const run = useCallback(
    async (variables: Variables, { onRefused, onFailed, optimistic }: Handlers<P, Data> = {}): Promise<P | null> => {
      let payload: P
      try {
        payload = payloadOf<P>(
          (await mutate({ variables, ...(optimistic && { optimisticResponse: optimistic }) })).data,
        )
      } catch (error) {
        if (onFailed) onFailed(error)
        else notify.error(messageOf(error))
        return null
      }
      const [refusal] = payload.userErrors
      if (!refusal) return payload
      if (onRefused) onRefused(payload)
      else notify.error(refusal.message)
      return null
    },
    [mutate],
  )

  return [run, { loading }] as const
}

/** The payload of the only field in a mutation's document. */
function payloadOf<P>(data: object | null | undefined): P {
  const [payload] = Object.values(data ?? {})
  if (!payload) throw new Error(FALLBACK_MESSAGE)
  return payload as P
}
