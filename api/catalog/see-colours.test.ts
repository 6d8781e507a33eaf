import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { filesOnDisk } from '../kernel/files.ts'
import { originalsIn } from './pictures.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { seeColours } from './see-colours.ts'
import { present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())

const originals = originalsIn(filesOnDisk('/nowhere'))
const COLOURS = 'colours { hex family } facts { colourFamilies corrected }'
const read = async (id: string) =>
  (await shop.gql(`query($id: ID!) { product(id: $id) { ${COLOURS} } }`, { id })).data.product
const patch = async (id: string, input: object) =>
  (
    await shop.gql(
      `mutation($id: ID!, $input: ProductPatch!) { patchProduct(id: $id, input: $input) { userErrors { message field } } }`,
      { id, input },
      admin,
    )
  ).data.patchProduct.userErrors

describe('the colours of a product', () => {
  it('are read from its picture once it is saved, and anew from another one', async () => {
    const { id } = await makeProduct(shop.em(), { image: '/images/sample.webp' })
    expect(await read(id)).toMatchObject({ colours: [] })
    await patch(id, { image: '/images/velveteen-garnet.webp' })
    await vi.waitFor(async () => expect((await read(id)).facts.colourFamilies).toEqual(['RED']), 20_000)
    expect((await read(id)).colours).toEqual([{ hex: expect.stringMatching(/^#[\da-f]{6}$/), family: 'RED' }])
    await patch(id, { image: '/images/halfacre-spruce.webp' })
    await vi.waitFor(async () => expect((await read(id)).facts.colourFamilies).toEqual(['GREEN']), 20_000)
  })

  it('are filled in for products that nobody has looked at, with the words of their texts behind', async () => {
    const { id } = await makeProduct(shop.em(), {
      name: 'Sock in Marmalade',
      image: '/images/maud-fenner-cornflower.webp',
    })
    expect((await read(id)).facts.colourFamilies).toEqual(['ORANGE'])
    expect(await seeColours(shop.em(), originals)).toBeNull()
    expect((await read(id)).facts.colourFamilies).toEqual(['BLUE', 'ORANGE'])
    const [row] = await shop.em().execute('select colours, colour_family from products where id = ?', [id])
    expect(row).toEqual({ colours: ['BLUE', 'ORANGE'], colour_family: 'BLUE' })
  })

  it('stay unknown for pictures that lie elsewhere or are gone', async () => {
    const elsewhere = await makeProduct(shop.em(), { image: 'https://example.com/red.webp' })
    const gone = await makeProduct(shop.em(), { image: '/images/gone.webp' })
    const outside = await makeProduct(shop.em(), { image: '/images/../seed.ts' })
    expect(await seeColours(shop.em(), originals)).toBeNull()
    for (const { id } of [elsewhere, gone, outside]) expect((await read(id)).colours).toEqual([])
  })

  it('can be corrected, and then outlast another picture', async () => {
    const { id } = await makeProduct(shop.em(), { image: '/images/velveteen-garnet.webp' })
    const mine = { colours: [{ hex: '#1f6a78', family: 'TEAL' }], colourFamilies: ['TEAL', 'VARIEGATED'] }
    expect(await patch(id, { factCorrections: mine, image: '/images/halfacre-spruce.webp' })).toEqual([])
    await seeColours(shop.em(), originals)
    expect(await read(id)).toMatchObject({
      colours: mine.colours,
      facts: { colourFamilies: mine.colourFamilies, corrected: expect.arrayContaining(['colours', 'colourFamilies']) },
    })
    expect(await patch(id, { factCorrections: {} })).toEqual([])
    expect((await read(id)).facts).toEqual({ colourFamilies: ['GREEN'], corrected: [] })
  })

  it.each(['red', '#12345', '#1234567', 'url(x)'])('are no %j', async hex => {
    const { id } = await makeProduct(shop.em())
    expect(await patch(id, { factCorrections: { colours: [{ hex, family: 'RED' }] } })).toMatchObject([
      { field: ['factCorrections', 'colours', '0', 'hex'] },
    ])
  })

  it('take turns when there are many: a job does as much as its time allows, another the rest', async () => {
    const { id } = await makeProduct(shop.em(), { image: '/images/tarnbeck-moss.webp' })
    for (let n = 0; n < 25; n++) await makeProduct(shop.em(), { image: '/images/tarnbeck-madder.webp' })
    const left = await seeColours(shop.em(), originals, {}, 0)
    expect(left).toEqual({ after: expect.any(String) })
    expect(await seeColours(shop.em(), originals, present(left))).toBeNull()
    expect((await read(id)).facts.colourFamilies[0]).toBe('GREEN')
  })
})

describe('the wall of colour', () => {
  it('has the best yarns of each family for sale, in the order of a rainbow', async () => {
    const make = (slug: string, fields: object = {}) =>
      makeProduct(shop.em(), { name: slug, image: `/images/${slug}.webp`, ...fields })
    await shop.em().execute('update products set archived_at = now()')
    const slugs = ['quillwort-smoke', 'maud-fenner-cornflower', 'skerrow-rosehip', 'altamesa-cocoa', 'plainsong-weld']
    for (const slug of slugs) await make(slug)
    await make('velveteen-garnet', { publishedAt: null })
    await make('hook-soft-grip', { category: 'Crochet Hooks' })
    for (let n = 0; n < 8; n++) await make('doorstep-bulky-jade', { ratingSum: 10 + n * 5, numReviews: 10 })
    await seeColours(shop.em(), originals)
    const { data } = await shop.gql(`{ wallOfColour { name rating ${COLOURS} } }`)
    const names = data.wallOfColour.map(({ name }: { name: string }) => name)
    expect([...new Set(names)]).toEqual([
      'skerrow-rosehip',
      'plainsong-weld',
      'doorstep-bulky-jade',
      'maud-fenner-cornflower',
      'altamesa-cocoa',
      'quillwort-smoke',
    ])
    const greens = data.wallOfColour.filter(({ name }: { name: string }) => name === 'doorstep-bulky-jade')
    expect(greens).toHaveLength(6)
    expect(Math.min(...greens.map(({ rating }: { rating: number }) => rating))).toBe(2)
  })
})
