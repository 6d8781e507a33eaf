import { ApolloClient, ApolloLink, InMemoryCache } from '@apollo/client'
import { ApolloProvider } from '@apollo/client/react'
import { act, renderHook } from '@testing-library/react'
import { of, throwError } from 'rxjs'
import { beforeEach, expect, it, vi } from 'vitest'
import { CancelOrderDocument } from '../order/OrderPage.gql.ts'
import { notify } from '../ui/toast.ts'
import { useShopMutation } from './use-shop-mutation.ts'

const error = vi.spyOn(notify, 'error').mockImplementation(() => '')
beforeEach(() => error.mockClear())

const refusal = { __typename: 'UserError', code: 'INVALID', message: 'It is on its way.', field: null }

function hook(answer: () => ReturnType<ApolloLink.RequestHandler>, options?: { asVisitor: boolean }) {
  const sent: ApolloLink.OperationContext[] = []
  const link = new ApolloLink(operation => {
    sent.push(operation.getContext())
    return answer()
  })
  const client = new ApolloClient({ cache: new InMemoryCache(), link })
  const { result } = renderHook(() => useShopMutation(CancelOrderDocument, options), {
    wrapper: ({ children }) => <ApolloProvider client={client}>{children}</ApolloProvider>,
  })
  return { run: result.current[0], sent }
}

const answers = (userErrors: object[]) => () =>
  of({ data: { cancelOrder: { __typename: 'OrderPayload', order: null, userErrors } } })

it('answers with the payload when nothing was refused', async () => {
  const { run, sent } = hook(answers([]))
  expect(await act(() => run({ id: '1' }))).toMatchObject({ userErrors: [] })
  expect(error).not.toHaveBeenCalled()
  expect(sent[0]).not.toHaveProperty('bearer')
})

it('says the first refusal, and answers null', async () => {
  const { run } = hook(answers([refusal, { ...refusal, message: 'And paid.' }]))
  expect(await act(() => run({ id: '1' }))).toBeNull()
  expect(error.mock.calls).toEqual([['It is on its way.']])
})

it('leaves refusals to who asks for them', async () => {
  const { run } = hook(answers([refusal]))
  const onRefused = vi.fn<(payload: object) => void>()
  expect(await act(() => run({ id: '1' }, { onRefused }))).toBeNull()
  expect(onRefused.mock.calls[0]?.[0]).toMatchObject({ userErrors: [refusal] })
  expect(error).not.toHaveBeenCalled()
})

it('says why nothing came back, or leaves that to who asks for it', async () => {
  const { run } = hook(() => throwError(() => new Error('The line is cut.')))
  expect(await act(() => run({ id: '1' }))).toBeNull()
  expect(error.mock.calls).toEqual([['The line is cut.']])
  const onFailed = vi.fn<(error: unknown) => void>()
  expect(await act(() => run({ id: '1' }, { onFailed }))).toBeNull()
  expect(onFailed.mock.calls[0]?.[0]).toMatchObject({ message: 'The line is cut.' })
  expect(error).toHaveBeenCalledOnce()
})

it('is sent without the session as a visitor', async () => {
  const { run, sent } = hook(answers([]), { asVisitor: true })
  await act(() => run({ id: '1' }))
  expect(sent[0]).toMatchObject({ bearer: null })
})
