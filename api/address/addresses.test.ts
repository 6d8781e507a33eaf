import { afterAll, beforeAll, expect, it } from 'vitest'
import { limits } from '#schema/rules/limits'
import { confirmAddress } from '../account/addresses.ts'
import { User } from '../account/user.entity.ts'
import { ADDRESS } from '../testing/purchase.ts'
import { makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { nth } from '#schema/rules/present'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.close())

const FIELDS = 'id label isDefault shippingAddress { name address city country }'
const add = async (who: Account | null, input: object = {}) => {
  const { data, errors } = await shop.gql(
    `mutation ($input: AddressInput!) { addAddress(input: $input) { address { ${FIELDS} } userErrors { code field } } }`,
    { input: { shippingAddress: ADDRESS, ...input } },
    who,
  )
  return data?.addAddress ?? errors
}
const update = async (who: Account | null, id: string, input: object = {}) => {
  const { data, errors } = await shop.gql(
    `mutation ($id: ID!, $input: AddressInput!) { updateAddress(id: $id, input: $input) { address { ${FIELDS} } userErrors { code field } } }`,
    { id, input: { shippingAddress: ADDRESS, ...input } },
    who,
  )
  return data?.updateAddress ?? errors
}
const remove = async (who: Account | null, id: string) => {
  const { data, errors } = await shop.gql(
    'mutation ($id: ID!) { removeAddress(id: $id) { address { id } userErrors { code } } }',
    { id },
    who,
  )
  return data?.removeAddress ?? errors
}
const book = async (who: Account | null) => {
  const { data, errors } = await shop.gql(`{ addresses { ${FIELDS} } }`, {}, who)
  return data?.addresses ?? errors
}
const labels = async (who: Account) =>
  (await book(who)).map(({ label, isDefault }: { label: string; isDefault: boolean }) =>
    isDefault ? `${label} *` : label,
  )
const at = (address: string) => ({ shippingAddress: { ...ADDRESS, address } })

it('keeps addresses by name, changes and removes them, the default first and then the newest', async () => {
  const nell = await makeUser(shop.em())
  const { address: home, userErrors } = await add(nell, { label: ' Home ' })
  expect(userErrors).toEqual([])
  expect(home).toMatchObject({ label: 'Home', isDefault: false, shippingAddress: { country: ADDRESS.country } })
  const { address: mill } = await add(nell, { ...at('2 Mill Road'), label: 'Mill', isDefault: true })
  await add(nell, { ...at('3 Loom Street'), label: 'Loom' })
  expect(await labels(nell)).toEqual(['Mill *', 'Loom', 'Home'])

  expect((await update(nell, home.id, { ...at('4 Purl Lane'), isDefault: true })).address).toMatchObject({
    label: 'Home',
    isDefault: true,
    shippingAddress: { address: '4 Purl Lane' },
  })
  expect(await labels(nell)).toEqual(['Home *', 'Loom', 'Mill'])
  // Setting it again changes nothing; only isDefault: false takes it away.
  expect((await update(nell, home.id, { ...at('4 Purl Lane'), isDefault: true })).address.isDefault).toBe(true)
  expect(await labels(nell)).toEqual(['Home *', 'Loom', 'Mill'])
  expect((await update(nell, home.id, { label: '', isDefault: false })).address).toMatchObject({
    label: '',
    isDefault: false,
  })
  expect(await remove(nell, mill.id)).toEqual({ address: null, userErrors: [] })
  expect(await remove(nell, mill.id)).toEqual({ address: null, userErrors: [{ code: 'NOT_FOUND' }] })
  expect(await labels(nell)).toEqual(['Loom', ''])
})

it('is its owner’s alone: to everybody else an address is as if it were not there', async () => {
  const em = shop.em()
  const [nell, rowan, admin] = [await makeUser(em), await makeUser(em), await makeUser(em, { isAdmin: true })]
  const { address: home } = await add(nell, { label: 'Home' })
  const missing = { address: null, userErrors: [{ code: 'NOT_FOUND', field: null }] }
  for (const other of [rowan, admin]) {
    expect(await book(other)).toEqual([])
    expect(await update(other, home.id, { label: 'Mine' })).toEqual(missing)
    expect(await remove(other, home.id)).toEqual({ address: null, userErrors: [{ code: 'NOT_FOUND' }] })
  }
  for (const id of ['abc', '\0', '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c'])
    expect(await update(nell, id)).toEqual(missing)
  expect(await labels(nell)).toEqual(['Home'])
  for (const answer of [await book(null), await add(null), await update(null, home.id), await remove(null, home.id)])
    expect(answer).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
})

it('holds an address once, and one default, however many ask for it at a time', async () => {
  const nell = await makeUser(shop.em())
  await Promise.all(Array.from({ length: 6 }, () => add(nell, { label: 'Home' })))
  expect(await labels(nell)).toEqual(['Home'])
  await add(nell, { shippingAddress: { ...ADDRESS, name: ADDRESS.name.toUpperCase() }, label: 'Nest' })
  expect(await labels(nell)).toEqual(['Nest'])
  await Promise.all(['a', 'b', 'c', 'd'].map(label => add(nell, { ...at(label), label, isDefault: true })))
  expect((await labels(nell)).filter((label: string) => label.endsWith('*'))).toHaveLength(1)
})

it('is full at some point, for many who fill it at once too', async () => {
  const nell = await makeUser(shop.em())
  await shop.em().execute(
    `insert into addresses (id, user_id, label, shipping_address, is_default, created_at)
     select gen_random_uuid(), ?, '', ?::jsonb || jsonb_build_object('address', n::text), false, now() from generate_series(1, ?) n`,
    [nell.id, JSON.stringify({ ...ADDRESS, address2: '' }), limits.addresses - 1],
  )
  const answers = await Promise.all(['a', 'b', 'c'].map(street => add(nell, at(street))))
  expect(answers.flatMap(({ userErrors }) => userErrors).map(({ code }) => code)).toEqual([
    'ADDRESS_BOOK_FULL',
    'ADDRESS_BOOK_FULL',
  ])
  expect(await book(nell)).toHaveLength(limits.addresses)
})

it('refuses what no parcel could go to, and names the field', async () => {
  const nell = await makeUser(shop.em())
  expect(await add(nell, { label: 'x'.repeat(41), shippingAddress: { name: ' ', country: '' } })).toEqual({
    address: null,
    userErrors: [
      { code: 'INVALID', field: ['label'] },
      { code: 'INVALID', field: ['shippingAddress', 'name'] },
      { code: 'INVALID', field: ['shippingAddress', 'country'] },
    ],
  })
})

it('is gone with the account, whoever closes it', async () => {
  const em = shop.em()
  const [nell, admin] = [await makeUser(em), await makeUser(em, { isAdmin: true })]
  const email = 'claimed@example.com'
  const claims = [
    await makeUser(em, { email, emailVerifiedAt: null }),
    await makeUser(em, { email, emailVerifiedAt: null }),
  ]
  for (const account of [nell, ...claims]) await add(account)
  await shop.gql('mutation ($id: ID!) { deleteUser(id: $id) { userErrors { code } } }', { id: nell.id }, admin)
  await em.transactional(async tx => confirmAddress(tx, await tx.findOneOrFail(User, nth(claims, 0).id)))
  const kept = await shop
    .em()
    .execute('select user_id as id from addresses where user_id in (?, ?, ?)', [nell.id, ...claims.map(({ id }) => id)])
  expect(kept).toEqual([{ id: nth(claims, 0).id }])
})

const PLACE = 'countryCode phone country'
const kept = async (who: Account, shippingAddress: object) => {
  const { data } = await shop.gql(
    `mutation ($input: AddressInput!) { addAddress(input: $input) { address { shippingAddress { ${PLACE} } } userErrors { field message } } }`,
    { input: { shippingAddress: { ...ADDRESS, ...shippingAddress } } },
    who,
  )
  return data.addAddress
}

it('knows a country by its code, however it was written', async () => {
  const nell = await makeUser(shop.em())
  for (const [country, countryCode] of [
    ['United States', 'US'],
    ['usa', 'US'],
    ['GB', 'GB'],
    ['England', 'GB'],
    ['Atlantis', null],
  ])
    expect((await kept(nell, { country })).address.shippingAddress).toMatchObject({ country, countryCode })
})

it('keeps a phone number that a carrier can call, or none', async () => {
  const nell = await makeUser(shop.em())
  for (const phone of ['', '+1 207 555 0199', '(0)20 7946 0018 ext. 42', '030/90 18 20'])
    expect((await kept(nell, { phone, address: `${phone} Lane` })).address.shippingAddress.phone).toBe(phone)
  for (const phone of ['call me', '12', '+49 30 901820 ask for Rowan', '١٢٣٤٥٦٧', 'x 12345', '1'.repeat(41)])
    expect(await kept(nell, { phone })).toMatchObject({
      address: null,
      userErrors: [{ field: ['shippingAddress', 'phone'] }],
    })
})

it('takes a phone number for an address it has, and keeps the one it has when none is given', async () => {
  const nell = await makeUser(shop.em())
  const phoneAfter = async (phone: string) => (await kept(nell, { phone })).address.shippingAddress.phone
  expect(await phoneAfter('')).toBe('')
  expect(await phoneAfter('+1 207 555 0199')).toBe('+1 207 555 0199')
  expect(await phoneAfter('')).toBe('+1 207 555 0199')
  expect(await book(nell)).toHaveLength(1)
})

it('has no phone number in an address from before there were any', async () => {
  const nell = await makeUser(shop.em())
  await add(nell)
  await shop
    .em()
    .execute(`update addresses set shipping_address = shipping_address - 'phone' where user_id = ?`, [nell.id])
  const { data } = await shop.gql('{ addresses { shippingAddress { phone } } }', {}, nell)
  expect(data.addresses).toEqual([{ shippingAddress: { phone: '' } }])
})
