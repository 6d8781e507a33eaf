import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { makeProduct, openShop, type TestShop } from '../testing/shop.ts'
import { groupsNamed } from './group-products.ts'
import { Product } from './product.entity.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.close())

const dk = (name: string, more: Partial<Product> = {}) =>
  makeProduct(shop.em(), {
    name,
    category: 'DK',
    weight: '100 g',
    length: '210 m',
    gauge: '22 sts = 10 cm',
    content: '100% merino',
    knittingNeedle: '4 mm',
    crochetHook: '4 mm',
    price: 1000,
    ...more,
  })

const ESTIMATE =
  'skeins metres metresWithMargin metresPerSkein stitches price explanation isInStock instead { product { name } skeins price costsMore isInStock }'

async function skeinsFor(id: string, project: object, units = 'METRIC') {
  const { data, errors } = await shop.gql(
    `query ($id: ID!, $project: Project!, $units: Units) { product(id: $id) { skeinsFor(project: $project, units: $units) { ${ESTIMATE} } } }`,
    { id, project, units },
  )
  return errors ?? data.product.skeinsFor
}

async function insteadFor(id: string, project: object) {
  const answer = await skeinsFor(id, project)
  return 'instead' in answer ? answer.instead : undefined
}

describe('how many skeins', () => {
  it('a pattern’s length takes, with what they cost and the sum in one sentence', async () => {
    const yarn = await dk('Hawkbit DK in Sorrel', { price: 1250 })
    expect(await skeinsFor(yarn.id, { yards: 1000 }, 'US')).toEqual({
      skeins: 5,
      metres: 914.4,
      metresWithMargin: expect.closeTo(1005.84, 5),
      metresPerSkein: 210,
      stitches: null,
      price: 6250,
      explanation:
        'Your pattern takes 1,000 yd; with 10% to spare that is 1,100 yd, and one skein has 230 yd, so you need 5 skeins.',
      isInStock: true,
      instead: null,
    })
  })

  it('a garment takes at the gauge of the band, or another', async () => {
    const yarn = await dk('Hawkbit DK in Rue')
    expect(await skeinsFor(yarn.id, { garment: { garment: 'JUMPER', size: 'M' } })).toMatchObject({
      skeins: 7,
      stitches: 22,
    })
    expect(await skeinsFor(yarn.id, { garment: { garment: 'JUMPER', size: 'M', stitches: 28 } })).toMatchObject({
      skeins: 8,
      stitches: 28,
    })
  })

  it('is not told for what has no length', async () => {
    const needles = await makeProduct(shop.em(), { category: 'Needles', name: 'Rosewood', weight: '', length: '' })
    expect(await skeinsFor(needles.id, { metres: 100 })).toBeNull()
  })

  test.each([
    [{ metres: 0 }, ['project', 'metres']],
    [{ metres: -5 }, ['project', 'metres']],
    [{ metres: 100_001 }, ['project', 'metres']],
    [{ yards: 0 }, ['project', 'yards']],
    [{ garment: { garment: 'HAT', size: 'XXL' } }, ['project', 'garment', 'size']],
    [{ garment: { garment: 'HAT', size: 'M', stitches: 2 } }, ['project', 'garment', 'stitches']],
    [{ garment: { garment: 'HAT', size: 'M', stitches: 61 } }, ['project', 'garment', 'stitches']],
  ])('is not told for %j', async (project, field) => {
    const yarn = await dk('Hawkbit DK in Yarrow')
    expect(await skeinsFor(yarn.id, project)).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', userErrors: [{ code: 'INVALID', field }] } },
    ])
  })

  it('offers another colourway that suffices before a closer substitute, when stock falls short', async () => {
    const lace = (name: string, more: Partial<Product> & { countInStock: number }) =>
      dk(name, { category: 'Lace', length: '800 m', gauge: '34 sts = 10 cm', ...more })
    const short = await lace('Sundew Lace in Peat', { countInStock: 1 })
    await lace('Sundew Lace in Bog', { countInStock: 1 })
    const other = await lace('Cottongrass Lace in Peat', { countInStock: 9, price: 1500 })
    expect(await skeinsFor(short.id, { metres: 1400 })).toMatchObject({
      skeins: 2,
      isInStock: false,
      instead: { product: { name: other.name }, skeins: 2, price: 3000, costsMore: 1000, isInStock: true },
    })
    await lace('Sundew Lace in Heath', { countInStock: 2, content: '50% merino, 50% nylon' })
    expect(await insteadFor(short.id, { metres: 1400 })).toMatchObject({ product: { name: 'Sundew Lace in Heath' } })
    expect(await insteadFor(short.id, { metres: 90_000 })).toBeNull()
  })
})

describe('substitutes', () => {
  const substitutes = async (id: string, asked = '') => {
    const { data, errors } = await shop.gql(
      `query ($id: ID!) { product(id: $id) { substitutes${asked} { product { name } skeins price costsMore isInStock } } }`,
      { id },
    )
    return errors ?? (data as { product: { substitutes: { product: { name: string } }[] } }).product.substitutes
  }
  const bulky = (name: string, more: Partial<Product> = {}) =>
    dk(name, { category: 'Bulky', length: '120 m', gauge: '14 sts = 10 cm', ...more })

  it('are the closest yarns in stock of the same weight, none of the line itself', async () => {
    const yarn = await bulky('Bracket Bulky in Fawn', { countInStock: 0 })
    await bulky('Bracket Bulky in Snow')
    await bulky('Cottonwood Bulky', { content: '100% cotton' })
    await bulky('Polypore Bulky', { content: '100% merino', length: '60 m', price: 700 })
    await bulky('Inkcap Bulky', { content: '100% Corriedale' })
    await bulky('Blewit Bulky', { countInStock: 0 })
    await bulky('Withdrawn Bulky', { archivedAt: new Date() })
    await bulky('Draft Bulky', { publishedAt: null })
    expect(await substitutes(yarn.id)).toEqual([
      { product: { name: 'Inkcap Bulky' }, skeins: 1, price: 1000, costsMore: 0, isInStock: true },
      { product: { name: 'Cottonwood Bulky' }, skeins: 1, price: 1000, costsMore: 0, isInStock: true },
      { product: { name: 'Polypore Bulky' }, skeins: 2, price: 1400, costsMore: 400, isInStock: true },
    ])
    expect(await substitutes(yarn.id, '(first: 1, metres: 1200)')).toEqual([
      { product: { name: 'Inkcap Bulky' }, skeins: 11, price: 11_000, costsMore: 0, isInStock: false },
    ])
    expect(await substitutes(yarn.id, '(first: 0)')).toEqual([])
  })

  it('are not of the same group, whatever they are called; what suffices is one of the group first', async () => {
    const aran = (name: string, countInStock: number, content = '100% merino') =>
      dk(name, { category: 'Aran', length: '170 m', gauge: '18 sts = 10 cm', countInStock, content })
    const yarn = await aran('Stinkhorn Aran in Egg', 1)
    const other = await aran('Old Stock Aran', 9, '100% acrylic')
    const stranger = await aran('Earthstar Aran', 9)
    const em = shop.em()
    const groupId = (await groupsNamed(em, [{ name: 'Stinkhorn Aran', variesBy: 'COLOUR' }])).get('Stinkhorn Aran')
    for (const [place, { id }] of [yarn, other].entries())
      await em.nativeUpdate(Product, { id }, { groupId, groupPosition: place + 1 })
    expect(await substitutes(yarn.id)).toMatchObject([{ product: { name: stranger.name } }])
    expect(await insteadFor(yarn.id, { metres: 600 })).toMatchObject({ product: { name: other.name } })
  })

  test.each(['(first: 9)', '(first: -1)', '(metres: 0)', '(metres: 100001)'])('are refused for %s', async asked => {
    const yarn = await dk('Hawkbit DK in Thrift')
    expect(await substitutes(yarn.id, asked)).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
  })

  it('are none for what is no yarn', async () => {
    const kit = await makeProduct(shop.em(), { category: 'Kits', name: 'Hat kit' })
    expect(await substitutes(kit.id)).toEqual([])
  })

  it('are found by an index among very many yarns of one weight', async () => {
    for (let from = 0; from < 4_000; from += 500)
      await shop.em().execute(
        `insert into products (id, sku, name, image, description, weight, length, gauge, knitting_needle, crochet_hook, recommended_care, content, category,
           price, count_in_stock, published_at, created_at, kind, weight_class, facts)
         select gen_random_uuid(), 'MANY-' || n, 'Many ' || n, '', '', '', '', '', '', '', '', '', 'Jumbo', 100, n % 2, now(), now(), 'YARN', 7,
           jsonb_build_object('kind', 'YARN', 'metresPer100g', n % 900 + 1)
         from generate_series(?::int + 1, ?::int + 500) n`,
        [from, from],
      )
    await shop.em().execute('analyze products')
    const plan = await shop.em().execute<{ 'QUERY PLAN': string }[]>(
      `explain (analyze) select id from products where weight_class = 7 and metres_per_100_g >= 40 and kind = 'YARN' and count_in_stock > 0
           and published_at is not null and archived_at is null order by weight_class, metres_per_100_g, id limit 40`,
    )
    const text = plan.map(row => row['QUERY PLAN']).join('\n')
    expect(text).toContain('products_alike')
    expect(text).not.toMatch(/Sort|Seq Scan/)
  })
})

describe('what goes with a yarn', () => {
  it('are needles and hooks of its sizes, and kits and patterns that name it', async () => {
    const yarn = await dk('Oxlip DK in Cream', { knittingNeedle: '3.75 mm', crochetHook: '3.25 mm' })
    const tool = (name: string, category: string, sizes: Partial<Product>, countInStock = 5) =>
      makeProduct(shop.em(), {
        name,
        category,
        weight: '',
        length: '',
        gauge: '',
        content: 'Birch',
        ...sizes,
        countInStock,
      })
    const bare = { knittingNeedle: '', crochetHook: '' }
    await tool('Birch needles 3.75', 'Needles', { ...bare, knittingNeedle: '3.75 mm' })
    await tool('Birch needles 6', 'Needles', { ...bare, knittingNeedle: '6 mm' })
    await tool('Steel needles 3.75', 'Needles', { ...bare, knittingNeedle: '3.75 mm' }, 0)
    await tool('Birch hook 3.25', 'Crochet Hooks', { ...bare, crochetHook: '3.25 mm' })
    await tool('First Scarf Kit', 'Kits', { ...bare, description: 'Two skeins of Oxlip and a pattern.' })
    await tool('Other Kit', 'Kits', { ...bare, description: 'Two skeins of Cowslip and a pattern.' })
    await tool('Scarf Pattern', 'Patterns', { ...bare, description: 'For two skeins of Oxlip.' })
    await tool('Other Pattern', 'Patterns', { ...bare, description: 'For two skeins of Cowslip.' })
    const { data } = await shop.gql('query ($id: ID!) { product(id: $id) { goesWith { name goesWith { name } } } }', {
      id: yarn.id,
    })
    expect(data.product.goesWith).toEqual([
      { name: 'Birch needles 3.75', goesWith: [] },
      { name: 'Birch hook 3.25', goesWith: [] },
      { name: 'First Scarf Kit', goesWith: [] },
      { name: 'Scarf Pattern', goesWith: [] },
    ])
  })

  it('and with a pattern tools of its sizes, and yarns of its gauge: those it names, then the best rated, one of each line', async () => {
    const gauge = '23 sts × 31 rows = 10 cm'
    await dk('Teasel DK in Rust', { gauge })
    await dk('Teasel DK in Plum', { gauge })
    await dk('Loved DK in Plum', { gauge, numReviews: 9, ratingSum: 45 })
    await dk('Gone DK in Plum', { gauge, countInStock: 0 })
    await dk('Other DK in Plum', { gauge: '12 sts = 10 cm' })
    const pattern = await makeProduct(shop.em(), {
      name: 'Teasel Cowl Pattern',
      category: 'Patterns',
      weight: '',
      length: '',
      gauge: '23 sts = 10 cm',
      knittingNeedle: '3.75 mm',
      crochetHook: '',
    })
    const { data } = await shop.gql('query ($id: ID!) { product(id: $id) { goesWith { name } } }', { id: pattern.id })
    expect(data.product.goesWith.map(({ name }: { name: string }) => name)).toEqual([
      expect.stringContaining('Teasel DK'),
      'Loved DK in Plum',
      'Birch needles 3.75',
    ])
  })
})
