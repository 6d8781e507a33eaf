import type { ApolloCache, OperationVariables, TypedDocumentNode } from '@apollo/client'
import { useMutation } from '@apollo/client/react'
import { useCallback } from 'react'
import { notify } from '../ui/toast.ts'
import { FALLBACK_MESSAGE, messageOf, type UserError } from './errors.ts'

interface Payload {
  userErrors: readonly UserError[]
}

/** For forms that leave it to whoever uses them which mutation they run. */
export type OnRefused = (payload: Payload) => void

interface Handlers<P extends Payload, Data> {
  /** Called with a payload that lists refusals, instead of a toast with the first of them. */
  onRefused?: (payload: P) => void
  /** Called with what was thrown when no payload came back, instead of a toast with its message. */
  onFailed?: (error: unknown) => void
  /** What will be answered in all likelihood: shown until the answer is there. */
  optimistic?: Data
}

interface Options<Data, Variables> {
  /** Sends it without the session, such as when signing in. */
  asVisitor?: boolean
  /** Waits for what was sent before under the same name. */
  inOrder?: string
  /** Writes what was answered, or is likely to be, to the cache. */
  update?: (cache: ApolloCache, data: Data, variables: Variables) => void
}

/**
 * A mutation whose payload lists refusals, as all but the simplest of the contract do. Running it answers with the
 * payload when nothing was refused; otherwise people were told why (SPEC §8), and it answers null. An expired session
 * is dealt with below this, in data/apollo.ts.
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

/** What the one field of a mutation's document answered. */
function payloadOf<P>(data: object | null | undefined): P {
  const [payload] = Object.values(data ?? {})
  if (!payload) throw new Error(FALLBACK_MESSAGE)
  return payload as P
}
