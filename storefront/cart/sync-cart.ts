import type { ApolloClient, OperationVariables, TypedDocumentNode } from '@apollo/client'
import { currentSession, onSessionChange, type UserInfo } from '../account/session.ts'
import { FALLBACK_MESSAGE, isSessionExpired, SessionExpired, type UserError } from '../data/errors.ts'
import { stored } from '../data/stored.ts'
import { paths } from '../paths.ts'
import { notify } from '../ui/toast.ts'
import { cart, currentCart, onCartChange } from './cart.ts'
import {
  changesSince,
  type Quantities,
  quantitiesOf,
  quantitiesOfLines,
  type SharedLine,
  withShared,
} from './shared-lines.ts'
import {
  AccountCartDocument,
  type AccountCartFragment,
  ChangeAccountCartDocument,
  JoinAccountCartDocument,
  MakeCartDocument,
} from './sync-cart.gql.ts'

// The browser keeps the spec's cart, which works without a connection. While somebody is signed in, what is put in or taken
// out is told to the account's cart as changes, and what other devices did comes back. Changes add up; nothing is overwritten.

type Change = ReturnType<typeof changesSince>[number]

interface Joining {
  id: string
  quantities: Quantities
}

interface Shared {
  userId: string
  /** What the account's cart and this one last agreed on. */
  agreed: Quantities
  /** Of the next change, for all tabs: whoever sends it again, or at the same time, does not make it twice. */
  nextKey: string
  /** A change whose answer is not there yet. */
  sending: Change[] | null
  /** The cart made of this one, to be put into the account's at sign-in. */
  joining: Joining | null
}

const shared = stored<Shared | null>('cartShared', null, raw => {
  const { userId, agreed, nextKey, sending, joining } = (raw ?? {}) as Partial<Shared>
  return typeof userId === 'string' && typeof nextKey === 'string' && typeof agreed === 'object'
    ? { userId, agreed, nextKey, sending: sending ?? null, joining: joining ?? null }
    : null
})

const SOON_MS = 300
const AGAIN_MS = 10_000

/** What the account's cart did not take, which stays in this one alone. */
const refused = new Set<string>()
let started = false

/** Keeps this browser's cart and that of whoever is signed in the same from now on. */
export function keepCartInSync(client: ApolloClient) {
  if (started) return
  started = true
  let timer: ReturnType<typeof setTimeout> | undefined
  let isLooking = true
  const run = async () => {
    // One that is hidden, or has no connection, tells when it is back.
    if (document.visibilityState !== 'visible' || !navigator.onLine) return
    const looks = isLooking
    isLooking = false
    try {
      await oneAtATime(() => sync(client, looks))
    } catch (error) {
      isLooking ||= looks
      if (!isSessionExpired(error)) soon(AGAIN_MS)
    }
  }
  const soon = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void run(), ms)
  }
  const look = () => {
    if (document.visibilityState !== 'visible') return
    isLooking = true
    soon(0)
  }
  onCartChange(() => soon(SOON_MS))
  onSessionChange(look)
  for (const event of ['focus', 'online', 'pageshow']) addEventListener(event, look)
  document.addEventListener('visibilitychange', look)
  void run()
}

const TELL_MS = 2_000

/** Before somebody signs out: what was pressed last is told, if that does not take long. */
export async function tellCart(client: ApolloClient): Promise<void> {
  const state = shared.get()
  if (!state || (!state.sending && untold(state).length === 0)) return
  const told = oneAtATime(() => sync(client, false)).catch(() => {})
  await Promise.race([told, new Promise(enough => setTimeout(enough, TELL_MS))])
}

/** Tabs of one browser share its cart. */
const oneAtATime = (task: () => Promise<void>) =>
  'locks' in navigator ? navigator.locks.request('cart', task) : (task as () => Promise<void>)()

async function sync(client: ApolloClient, looks: boolean): Promise<void> {
  const session = currentSession()
  if (!session) return
  const asked = asker(client, session)
  const state = shared.get()
  if (state?.userId !== session._id) return join(asked, session)
  if (state.joining) return finishJoining(asked, state, state.joining)
  if (await sendChanges(asked, state)) return
  // Nobody's order changes while they look it over.
  if (looks && location.pathname !== paths.placeOrder()) agree(state, await asked.read(), state.agreed)
}

const untold = ({ agreed }: Shared): Change[] =>
  changesSince(agreed, quantitiesOf(currentCart().cartItems)).filter(({ productId }) => !refused.has(productId))

/** Tells what has changed here, all of it. Answers whether there was anything. */
async function sendChanges(asked: Asker, before: Shared): Promise<boolean> {
  let state = before
  for (let told = false; ; told = true) {
    const sending = state.sending ?? untold(state)
    if (sending.length === 0) return told
    shared.set({ ...state, sending })
    const { cart, userErrors } = await asked.change(sending, state.nextKey)
    state = cart
      ? agree(state, cart.lines, plus(state.agreed, sending))
      : await learn(asked, { ...state, sending }, userErrors)
  }
}

/** The account's cart cannot take what was sent: it stays in this browser alone, and whatever else there is can be told. */
async function learn(asked: Asker, state: Shared, userErrors: readonly UserError[]): Promise<Shared> {
  const sent = (state.sending ?? []).map(({ productId }) => productId)
  const there = quantitiesOfLines(await asked.read())
  const named = sent.filter(id => userErrors.some(({ field }) => field?.[1] === id))
  const others = sent.filter(id => !(id in there))
  const untaken = [named, others].find(ids => ids.length > 0) ?? sent
  for (const id of untaken) refused.add(id)
  for (const { message } of userErrors) notify.warning(message)
  return keep({ ...state, nextKey: newKey(), sending: null })
}

/** At sign-in: what is in this cart is put into the account's. */
async function join(asked: Asker, { _id: userId }: UserInfo): Promise<void> {
  refused.clear()
  let lines = changesSince({}, quantitiesOf(currentCart().cartItems))
  while (lines.length > 0) {
    const { cart: made, userErrors } = await asked.make(
      lines.map(({ productId, add }) => ({ productId, quantity: add })),
    )
    if (made) {
      const joining = { id: made.id, quantities: plus({}, lines) }
      return finishJoining(asked, keep({ ...anew(userId), joining }), joining)
    }
    const gone = new Set(userErrors.map(({ field }) => field?.[1]))
    const left = lines.filter(({ productId }) => !gone.has(productId))
    lines = left.length < lines.length ? left : []
  }
  agree(anew(userId), await asked.read(), {})
}

const anew = (userId: string): Shared => ({ userId, agreed: {}, nextKey: newKey(), sending: null, joining: null })

function keep(state: Shared): Shared {
  shared.set(state)
  return state
}

/** Random enough to be one's own; `crypto.randomUUID` is not there on plain http. */
const newKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), part => part.toString(36)).join('-')

async function finishJoining(asked: Asker, state: Shared, { id, quantities }: Joining): Promise<void> {
  const before = quantitiesOf(currentCart().cartItems)
  const { cart: joined, notices } = await asked.join(id)
  // Without one it was done before, and its answer never came.
  const lines = joined?.lines ?? (await asked.read())
  agree(state, lines, quantities)
  const others = lines.filter(({ productId, product, quantity }) => product && quantity > (before[productId] ?? 0))
  if (others.length > 0) notify.success(joinedWords(others))
  for (const { message } of notices) notify.warning(message)
}

function joinedWords(lines: readonly SharedLine[]): string {
  const named = lines.slice(0, 2).map(({ name }) => `“${name}”`)
  const more = lines.length - named.length
  const names = new Intl.ListFormat('en-US').format(more > 0 ? [...named, `${more} more`] : named)
  return `Your cart has what you had put in before, too: ${names}.`
}

/** Takes over the account's cart, which has heard of `told`. */
function agree({ userId }: Shared, lines: readonly SharedLine[], told: Quantities): Shared {
  const before = currentCart().cartItems
  const items = withShared(before, lines, told)
  const gone = lines.filter(({ product, productId }) => !product && !before.some(({ id }) => id === productId))
  for (const { name } of gone) notify.warning(`“${name}” is no longer for sale, so it left your cart.`)
  const state = keep({ ...anew(userId), agreed: quantitiesOfLines(lines) })
  if (JSON.stringify(items) !== JSON.stringify(before)) cart.replaceItems(items)
  return state
}

function plus(quantities: Quantities, lines: readonly { productId: string; add: number }[]): Quantities {
  const sum = new Map(Object.entries(quantities))
  for (const { productId, add } of lines) sum.set(productId, (sum.get(productId) ?? 0) + add)
  return Object.fromEntries(sum)
}

type Asker = ReturnType<typeof asker>

/** Asks for one account. A session that is over interrupts nobody for it, and of one that was left nothing is written any more. */
function asker(client: ApolloClient, { token }: UserInfo) {
  const options = { context: { bearer: token }, fetchPolicy: 'no-cache' } as const
  const mutate = async <Data, Variables extends OperationVariables>(
    mutation: TypedDocumentNode<Data, Variables>,
    variables: Variables,
  ) => {
    const { data } = await client.mutate<Data>({ mutation, variables, ...options })
    leaveWithout(token)
    if (!data) throw new Error(FALLBACK_MESSAGE)
    return data
  }
  return {
    async read(): Promise<AccountCartFragment['lines']> {
      const { data } = await client.query({ query: AccountCartDocument, ...options })
      leaveWithout(token)
      return data?.cart?.lines ?? []
    },
    change: async (lines: Change[], idempotencyKey: string) =>
      (await mutate(ChangeAccountCartDocument, { input: { lines, idempotencyKey } })).changeCart,
    make: async (lines: { productId: string; quantity: number }[]) =>
      (await mutate(MakeCartDocument, { input: { lines } })).createCart,
    join: async (id: string) => (await mutate(JoinAccountCartDocument, { id })).mergeCart,
  }
}

/** Looks at what is stored, which is wiped before this page knows. */
function leaveWithout(token: string) {
  if (!localStorage.getItem('userInfo')?.includes(token)) throw new SessionExpired()
}
