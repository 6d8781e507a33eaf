import type { ApolloClient, OperationVariables, TypedDocumentNode } from '@apollo/client'
import { currentSession, onSessionChange, type UserInfo } from '../account/session.ts'
import { FALLBACK_MESSAGE, isSessionExpired, SessionExpired, type UserError } from '../data/errors.ts'
import { stored } from '../data/stored.ts'
import { paths } from '../paths.ts'
import { notify } from '../ui/toast.ts'
import { BLANK_ADDRESS, cart, type CartAddress, currentCart, hasAddress, onCartChange } from './cart.ts'
import { currentCode, forgetCode, keepCode } from './cart-code.ts'
import {
  after,
  changesSince,
  isNothing,
  isSame,
  namesOf,
  NOTHING,
  saidByItems,
  saidByLines,
  type Change,
  type Said,
  type SharedLine,
  withShared,
  without,
} from './shared-cart.ts'
import {
  AccountCartDocument,
  type AccountCartFragment,
  ChangeAccountCartDocument,
  JoinAccountCartDocument,
  MakeCartDocument,
} from './sync-cart.gql.ts'

// The browser keeps the spec's cart, which works without a connection. While somebody is signed in, additions, removals
// and choices are sent to the account's cart as changes, and the changes of other devices come back. Changes add up; only
// a code, an address or the lots of a line are overwritten, when they were chosen on both.

interface Joining {
  id: string
  said: Said
}

interface Shared {
  userId: string
  /** What the account's cart and this one last agreed on. */
  agreed: Said
  /** Idempotency key of the next change, shared by all tabs: sending it again, or at the same time, does not apply it twice. */
  nextKey: string
  /** A change that was sent and has not been answered yet. */
  sending: Change | null
  /** The cart that was created on the server from this one, to be merged into the account's at sign-in. */
  joining: Joining | null
}

const shared = stored<Shared | null>('cartShared', null, raw => {
  const { userId, agreed, nextKey, sending, joining } = (raw ?? {}) as Partial<Shared>
  return typeof userId === 'string' && typeof nextKey === 'string' && agreed?.lines
    ? { userId, agreed, nextKey, sending: sending ?? null, joining: joining ?? null }
    : null
})

const SOON_MS = 300
/** How often a visible page looks at what other devices did. */
const LOOK_MS = 30_000
const AGAIN_MS = 10_000

/** Names of what the account's cart refused. It stays in this browser's cart only. */
const refused = new Set<string>()
let started = false

/** From now on keeps this browser's cart and the signed-in user's the same. */
export function keepCartInSync(client: ApolloClient) {
  if (started) return
  started = true
  let timer: ReturnType<typeof setTimeout> | undefined
  let isLooking = true
  const run = async () => {
    // A page that is hidden or offline runs this again when it is visible or online.
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
  setInterval(look, LOOK_MS)
  void run()
}

const TELL_MS = 2_000

/** Before signing out: sends the last changes, if that does not take long. */
export async function tellCart(client: ApolloClient): Promise<void> {
  const state = shared.get()
  if (!state || (!state.sending && isNothing(unsent(state)))) return
  const syncing = oneAtATime(() => sync(client, false)).catch(() => {})
  await Promise.race([syncing, new Promise(enough => setTimeout(enough, TELL_MS))])
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
  if (looks && !isLookedOver()) agree(state, await asked.read(), state.agreed)
}

/** While an order is being reviewed, its cart does not change. */
const isLookedOver = () => location.pathname === paths.placeOrder()

function saidHere(): Said {
  const { cartItems, shippingAddress } = currentCart()
  const { name, address, address2, city, state, postalCode, country, phone, isPickup } = shippingAddress
  return {
    lines: saidByItems(cartItems),
    code: currentCode()?.code ?? null,
    address: hasAddress(shippingAddress)
      ? { name, address, address2, city, state, postalCode, country, phone, isPickup }
      : null,
  }
}

const unsent = ({ agreed }: Shared): Change => without(changesSince(agreed, saidHere()), refused)

/** Sends everything that has changed here. Returns whether there was anything. */
async function sendChanges(asked: Asker, before: Shared): Promise<boolean> {
  let state = before
  for (let sent = false; ; sent = true) {
    const sending = state.sending ?? unsent(state)
    if (isNothing(sending)) return sent
    shared.set({ ...state, sending })
    const { cart, userErrors } = await asked.change(sending, state.nextKey)
    const agreed = after(state.agreed, sending)
    if (!cart) state = await learn(asked, { ...state, sending }, sending, userErrors)
    else if (isLookedOver()) state = keep({ ...anew(state.userId), agreed })
    else state = agree(state, cart, agreed)
  }
}

/** The account's cart refused what was sent: it stays in this browser only, and everything else is still sent. */
async function learn(asked: Asker, state: Shared, sent: Change, userErrors: readonly UserError[]): Promise<Shared> {
  const names = namesOf(sent)
  const there = saidByLines((await asked.read())?.lines ?? [])
  const named = names.filter(name => userErrors.some(({ field }) => field?.[0] === name || field?.[1] === name))
  const others = names.filter(name => !(name in there))
  const untaken = [named, others].find(some => some.length > 0) ?? names
  for (const name of untaken) refused.add(name)
  for (const { message } of userErrors) notify.warning(message)
  return keep({ ...state, nextKey: newKey(), sending: null })
}

/** At sign-in: merges this cart into the account's. */
async function join(asked: Asker, { _id: userId }: UserInfo): Promise<void> {
  refused.clear()
  let said = saidHere()
  while (!isSame(said, NOTHING)) {
    const { cart: made, userErrors } = await asked.make(said)
    if (made) {
      const joining = { id: made.id, said }
      return finishJoining(asked, keep({ ...anew(userId), joining }), joining)
    }
    const lines = Object.entries(said.lines)
    const gone = new Set(userErrors.map(({ field }) => field?.[1]))
    const left = lines.filter(([productId]) => !gone.has(productId))
    said = left.length < lines.length ? { ...said, lines: Object.fromEntries(left) } : NOTHING
  }
  agree(anew(userId), await asked.read(), NOTHING)
}

const anew = (userId: string): Shared => ({ userId, agreed: NOTHING, nextKey: newKey(), sending: null, joining: null })

function keep(state: Shared): Shared {
  shared.set(state)
  return state
}

/** Random enough to be unique; `crypto.randomUUID` does not exist on plain http. */
const newKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), part => part.toString(36)).join('-')

async function finishJoining(asked: Asker, state: Shared, { id, said }: Joining): Promise<void> {
  const before = saidHere().lines
  const { cart: joined, notices } = await asked.join(id)
  // Without a cart in the answer, an earlier request has merged it already, and its answer got lost.
  const theirs = joined ?? (await asked.read())
  agree(state, theirs, said)
  const others = (theirs?.lines ?? []).filter(
    ({ productId, product, quantity }) => product && quantity > (before[productId]?.quantity ?? 0),
  )
  if (others.length > 0) notify.success(joinedWords(others))
  for (const { message } of notices) notify.warning(message)
}

function joinedWords(lines: readonly SharedLine[]): string {
  const named = lines.slice(0, 2).map(({ name }) => `“${name}”`)
  const more = lines.length - named.length
  const names = new Intl.ListFormat('en-US').format(more > 0 ? [...named, `${more} more`] : named)
  return `Your cart has what you had put in before, too: ${names}.`
}

/** Takes over the account's cart. `heard` is what that cart knew about this one; what was chosen here since then stays. */
function agree({ userId }: Shared, theirs: AccountCart, heard: Said): Shared {
  const { code, lines, shippingAddress } = theirs ?? { code: null, lines: [], shippingAddress: null }
  const before = currentCart().cartItems
  const mine = saidHere()
  const items = withShared(before, lines, heard.lines)
  const gone = lines.filter(({ product, productId }) => !product && !before.some(({ id }) => id === productId))
  for (const { name } of gone) notify.warning(`“${name}” is no longer for sale, so it left your cart.`)
  const takesCode = mine.code === heard.code && code !== mine.code
  const usable = theirs?.quote.code ?? null
  const agreed = {
    lines: saidByLines(lines),
    // A code that does not work for these items stays with the account only, until it works.
    code: takesCode && !usable ? null : code,
    address: addressOf(shippingAddress),
  }
  const state = keep({ ...anew(userId), agreed })
  if (takesCode && usable) keepCode(usable)
  else if (takesCode && mine.code) forgetCode()
  if (isSame(mine.address, heard.address) && !isSame(mine.address, agreed.address))
    cart.saveShippingAddress(agreed.address ?? BLANK_ADDRESS)
  if (!isSame(items, before)) cart.replaceItems(items)
  return state
}

function addressOf(read: AccountCartFragment['shippingAddress']): CartAddress | null {
  if (!read) return null
  const { __typename: _, ...address } = read
  return address
}

type AccountCart = AccountCartFragment | null

type Asker = ReturnType<typeof asker>

/** Sends requests for one account. An expired session does not ask anybody to sign in, and answers after signing out are dropped. */
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
    async read(): Promise<AccountCart> {
      const { data } = await client.query({ query: AccountCartDocument, ...options })
      leaveWithout(token)
      return data?.cart ?? null
    },
    change: async (change: Change, idempotencyKey: string) =>
      (await mutate(ChangeAccountCartDocument, { input: { ...change, idempotencyKey } })).changeCart,
    make: async ({ lines, code, address }: Said) => {
      const input = {
        lines: Object.entries(lines).map(([productId, { quantity, lots }]) => ({ productId, quantity, lots })),
        code,
        shippingAddress: address,
      }
      return (await mutate(MakeCartDocument, { input })).createCart
    },
    join: async (id: string) => (await mutate(JoinAccountCartDocument, { id })).mergeCart,
  }
}

/** Reads the storage itself: signing out clears it before this page is notified. */
function leaveWithout(token: string) {
  if (!localStorage.getItem('userInfo')?.includes(token)) throw new SessionExpired()
}
