import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { lotsForQuantity, unitsOf } from '#schema/rules/lots'
import { orderAddress } from '#schema/rules/shapes/address'
import { enteredCode } from '#schema/rules/shapes/discount'
import { present } from '#schema/rules/present'
import type { Context } from '../context.ts'
import type { CartInput, CartLineChange } from '../generated/types.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import { hashOf, newToken } from '../kernel/tokens.ts'
import { check, idempotencyKey, idInLowerCase, isId } from '../kernel/validation.ts'
import { resolveAddress } from '../order/destination.ts'
import { lots } from '../order/quote-cart.ts'
import { Cart, type CartLine } from './cart.entity.ts'
import { lockCart, OpenCart, type CartAsker } from './open-cart.ts'

/** Changes that a cart remembers the keys of. */
const KEYS = 20

const MOST = limits.stock.toLocaleString('en-US')
const units = (least: number) =>
  z
    .number()
    .int()
    .min(least, `Quantity must be at least ${least}.`)
    .max(limits.stock, `Quantity can be at most ${MOST}.`)

const lineChange = z
  .object({
    productId: idInLowerCase,
    quantity: units(0).nullish(),
    add: units(-limits.stock).nullish(),
    lots: lots.nullish(),
  })
  .refine(({ quantity, add }) => ((quantity ?? null) === null) !== ((add ?? null) === null), {
    message: 'Give either the quantity there shall be, or what to add.',
  })
  .refine(({ quantity, lots }) => !lots?.length || (quantity ?? null) === null || unitsOf(lots) === quantity, {
    message: 'The dye lots of a line must add up to its quantity.',
  })

const change = z.object({
  lines: z
    .array(lineChange)
    .max(limits.linesPerOrder, `A change has at most ${limits.linesPerOrder} lines.`)
    .refine(
      lines => new Set(lines.map(({ productId }) => productId)).size === lines.length,
      'Each product can be named once.',
    )
    .nullish(),
  replacesLines: z.boolean().default(false),
  code: enteredCode.nullish(),
  shippingAddress: orderAddress.nullish(),
  idempotencyKey: idempotencyKey.nullish(),
})

type Change = z.output<typeof change>

function read(shop: Pick<Context, 'delivery'>, input: CartInput): Change {
  const changed = check(change, input)
  const { shippingAddress: to } = changed
  return { ...changed, shippingAddress: to && resolveAddress(shop, to) }
}

/** Makes a cart of no account. */
export async function createCart(
  em: EntityManager,
  { user, ip, cartThrottle, delivery }: Pick<Context, 'user' | 'ip' | 'cartThrottle' | 'delivery'>,
  input: CartInput,
): Promise<OpenCart> {
  const changed = read({ delivery }, input)
  await cartThrottle.admit(user?.id ?? ip)
  const token = newToken()
  const row = em.create(Cart, { tokenHash: hashOf(token), lines: [], changeKeys: [] })
  await apply(em, row, changed)
  await em.flush()
  return new OpenCart(token, row)
}

/** Changes the cart that an id opens, or the account's own without one. */
export async function changeCart(
  em: EntityManager,
  asker: CartAsker & Pick<Context, 'delivery'>,
  id: string | null | undefined,
  input: CartInput,
): Promise<OpenCart> {
  const changed = read(asker, input)
  return em.transactional(async tx => {
    const cart = await lockCart(tx, asker, id)
    const { idempotencyKey: key } = changed
    if (key && cart.row.changeKeys.includes(key)) return cart
    await apply(tx, cart.row, changed)
    if (key) cart.row.changeKeys = [key, ...cart.row.changeKeys].slice(0, KEYS)
    return cart
  })
}

async function apply(em: EntityManager, row: Cart, { lines, replacesLines, code, shippingAddress }: Change) {
  if (lines || replacesLines) row.lines = await changedLines(em, row.lines, lines ?? [], replacesLines)
  if (code !== undefined) row.code = code || null
  if (shippingAddress !== undefined) row.shippingAddress = shippingAddress
  row.changedAt = clock.now()
}

async function changedLines(
  em: EntityManager,
  before: readonly CartLine[],
  changes: readonly (CartLineChange & Pick<CartLine, 'productId'>)[],
  replaces: boolean,
): Promise<CartLine[]> {
  const products = await productsOnSale(
    em,
    changes.map(({ productId }) => productId),
  )
  const lines = new Map(before.map(line => [line.productId, line]))
  const named = new Set(changes.map(({ productId }) => productId))
  if (replaces) for (const { productId } of before) if (!named.has(productId)) lines.delete(productId)
  for (const { productId, quantity, add, lots } of changes) {
    const known = lines.get(productId)
    const wanted = quantity ?? (known?.quantity ?? 0) + present(add)
    if (wanted < 1) {
      lines.delete(productId)
      continue
    }
    const product = products.get(productId) ?? known
    if (!product) throw refuse('NOT_FOUND', 'This product is not for sale (any more).', { field: ['lines', productId] })
    const units = Math.min(wanted, limits.stock)
    const { name, price } = product
    lines.set(productId, {
      productId,
      name,
      price,
      quantity: units,
      lots: lotsForQuantity(lots ?? known?.lots ?? [], units),
    })
  }
  if (lines.size > limits.linesPerOrder) throw refuse('CART_FULL', FULL, { field: ['lines'] })
  return [...lines.values()]
}

export const FULL = `A cart holds ${limits.linesPerOrder} different products, as many as one order can have. Order those first, or take one out.`

async function productsOnSale(em: EntityManager, ids: readonly string[]) {
  const asked = ids.filter(isId)
  if (asked.length === 0) return new Map<string, { name: string; price: number }>()
  const found = await em.execute<{ id: string; name: string; price: number }[]>(
    'select id, name, price from products where id in (?) and published_at is not null and archived_at is null',
    [asked],
  )
  return new Map(found.map(product => [product.id, product]))
}
