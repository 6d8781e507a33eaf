import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { isSameAddress } from '#schema/rules/same-address'
import { addressLabel, shippingAddress } from '#schema/rules/shapes/address'
import { assertOpen } from '../account/open-account.ts'
import type { User } from '../account/user.entity.ts'
import type { AddressInput } from '../generated/types.ts'
import { refuse } from '../kernel/errors.ts'
import { check, isId } from '../kernel/validation.ts'
import { SavedAddress } from './saved-address.entity.ts'

const entry = z.object({
  label: addressLabel.nullish(),
  shippingAddress: shippingAddress
    .extend({
      isPickup: z
        .boolean()
        .refine(is => !is, 'A pickup cannot be kept in an address book.')
        .optional(),
    })
    .transform(({ isPickup: _, ...address }) => address),
  isDefault: z.boolean().nullish(),
})

/** An account's address book: the default first, then the newest. */
export function listAddresses(em: EntityManager, { id: userId }: User): Promise<SavedAddress[]> {
  return em.find(SavedAddress, { userId }, { orderBy: { isDefault: 'desc', createdAt: 'desc', id: 'desc' } })
}

/** Puts an address into an account's book, once, however many ask for it at a time. */
export async function addAddress(em: EntityManager, user: User, input: AddressInput): Promise<SavedAddress> {
  const { label, shippingAddress, isDefault } = check(entry, input)
  return changeBook(em, user, async tx => {
    const book = await listAddresses(tx, user)
    const known = book.find(each => isSameAddress(each.shippingAddress, shippingAddress))
    if (!known && book.length >= limits.addresses)
      throw refuse(
        'ADDRESS_BOOK_FULL',
        `Your address book holds ${limits.addresses} addresses, as many as it can. Remove one first.`,
      )
    const address = known ?? tx.create(SavedAddress, { userId: user.id, label: '', shippingAddress, isDefault: false })
    if (label) address.label = label
    if (shippingAddress.phone) address.shippingAddress = { ...address.shippingAddress, phone: shippingAddress.phone }
    await setDefault(tx, address, isDefault)
    return address
  })
}

/** Changes an address of an account's book. */
export async function updateAddress(
  em: EntityManager,
  user: User,
  id: string,
  input: AddressInput,
): Promise<SavedAddress> {
  const { label, shippingAddress, isDefault } = check(entry, input)
  return changeBook(em, user, async tx => {
    // Somebody else's is as if it were not there.
    const address = isId(id) ? await tx.findOne(SavedAddress, { id, userId: user.id }) : null
    if (!address) throw missing()
    tx.assign(address, { shippingAddress, label: label ?? address.label })
    await setDefault(tx, address, isDefault)
    return address
  })
}

/** Takes an address out of an account's book. */
export async function removeAddress(em: EntityManager, { id: userId }: User, id: string): Promise<void> {
  const removed = isId(id) ? await em.nativeDelete(SavedAddress, { id, userId }) : 0
  if (removed === 0) throw missing()
}

/** Empties the book of an account that is closed. */
export async function forgetAddresses(em: EntityManager, { id: userId }: User): Promise<void> {
  await em.nativeDelete(SavedAddress, { userId })
}

const missing = () => refuse('NOT_FOUND', 'This address is not in your address book any more.')

/** `isDefault` null: it stays as it is. */
async function setDefault(em: EntityManager, address: SavedAddress, isDefault: boolean | null | undefined) {
  // The other one has to stop first: a book has one default.
  if (isDefault && !address.isDefault)
    await em.nativeUpdate(SavedAddress, { userId: address.userId, isDefault: true }, { isDefault: false })
  address.isDefault = isDefault ?? address.isDefault
  await em.flush()
}

/** One change of a book at a time: it is counted, and its default moved, without another change in between. */
function changeBook<T>(em: EntityManager, { id }: User, change: (tx: EntityManager) => Promise<T>): Promise<T> {
  return em.transactional(async tx => {
    await assertOpen(tx, id, 'no key update')
    return change(tx)
  })
}
