import { stringify } from 'csv-stringify/sync'
import { describe, expect, it, test } from 'vitest'
import { nth } from '#schema/rules/present'
import type { CsvRow, Field } from './columns.ts'
import { readCsv } from './read-csv.ts'

type Row = Partial<Record<Field, string>> & Pick<CsvRow, 'line' | 'sku' | 'reasons'>

async function read(records: readonly Record<string, string>[]): Promise<CsvRow[]> {
  const header = [...new Set(records.flatMap(record => Object.keys(record)))]
  const file = stringify([header, ...records.map(record => header.map(name => record[name] ?? ''))])
  const rows: CsvRow[] = []
  for await (const row of readCsv(Buffer.from(file))) rows.push(row)
  return rows
}

/** The rows of a file with these records, with their cells by field. */
const rowsOf = async (...records: Record<string, string>[]): Promise<Row[]> =>
  (await read(records)).map(({ line, sku, cells, reasons }) => ({
    line,
    sku,
    reasons,
    ...Object.fromEntries(cells.map(({ column, cell }) => [column.field, cell])),
  }))
const fetchedOf = async (...records: Record<string, string>[]) => (await read(records)).map(({ fetched }) => fetched)
const rowOf = async (record: Record<string, string>) => nth(await rowsOf({ ...ONE, ...record }), 0)

const ONE = { Handle: 'fern', Title: 'Fern Hollow', 'Variant Price': '24.00' }

describe('an export of products from Shopify', () => {
  it('has a row for each variant, which carries what the first one says of them all', async () => {
    const all = { Vendor: 'Fern & Co.', 'Yarn weight (product.metafields.shopify.yarn-weight)': 'dk' }
    expect(
      await rowsOf(
        {
          ...all,
          Handle: 'fern-hollow',
          Title: 'Fern Hollow Worsted',
          'Body (HTML)': '<p>A round, springy wool.</p>',
          'Product Category': 'Arts & Entertainment > Hobbies & Creative Arts > Yarn',
          Type: 'Worsted',
          Published: 'true',
          'Option1 Name': 'Color',
          'Option1 Value': 'Moss',
          'Variant SKU': 'FH-MOSS',
          'Variant Grams': '100',
          'Variant Inventory Qty': '24',
          'Variant Price': '24.50',
          'Variant Compare At Price': '',
          'Image Src': 'https://cdn.example.com/fern.jpg',
          'Variant Image': 'https://cdn.example.com/moss.jpg',
          Status: 'active',
        },
        {
          Handle: 'fern-hollow',
          'Option1 Value': 'Rust',
          'Variant SKU': 'FH-RUST',
          'Variant Grams': '100',
          'Variant Inventory Qty': '-2',
          'Variant Price': '19.90',
          'Variant Compare At Price': '24.50',
        },
        { Handle: 'fern-hollow', 'Image Src': 'https://cdn.example.com/fern-2.jpg' },
        { Handle: 'bag', Title: 'Bag', Type: 'Bags', 'Option1 Name': 'Title', 'Option1 Value': 'Default Title' },
      ),
    ).toEqual([
      {
        line: 2,
        sku: 'FH-MOSS',
        reasons: [],
        name: 'Fern Hollow Worsted in Moss',
        category: 'Worsted',
        price: '24.50',
        salePrice: '',
        saleFrom: '',
        saleUntil: '',
        countInStock: '24',
        description: 'A round, springy wool.',
        image: 'https://cdn.example.com/moss.jpg',
        weight: '100 g',
        group: 'Fern Hollow Worsted',
      },
      expect.objectContaining({
        line: 3,
        sku: 'FH-RUST',
        name: 'Fern Hollow Worsted in Rust',
        category: 'Worsted',
        price: '24.50',
        salePrice: '19.90',
        countInStock: '0',
        description: 'A round, springy wool.',
        image: 'https://cdn.example.com/fern.jpg',
        group: 'Fern Hollow Worsted',
      }),
      {
        line: 5,
        sku: 'bag',
        reasons: [],
        name: 'Bag',
        category: 'Bags',
        price: '',
        salePrice: '',
        saleFrom: '',
        saleUntil: '',
        countInStock: '',
        description: '',
        image: '',
      },
    ])
  })

  it('gives each variant its own picture, then those of them all, and none of another variant', async () => {
    const picture = (name: string) => `https://cdn.example.com/${name}.jpg`
    const fern = { Handle: 'fern', 'Variant Price': '24.00', 'Option1 Name': 'Color' }
    const fetched = await fetchedOf(
      {
        ...fern,
        Title: 'Fern',
        'Option1 Value': 'Moss',
        'Image Src': picture('all'),
        'Image Alt Text': 'All of them',
        'Variant Image': picture('moss'),
      },
      {
        ...fern,
        'Option1 Value': 'Rust',
        'Image Src': picture('moss'),
        'Image Alt Text': 'A skein in green',
        'Variant Image': picture('rust'),
      },
      { ...fern, 'Option1 Value': 'Sand', 'Image Src': picture('knitted'), 'Image Alt Text': `${'x'.repeat(199)}🧶` },
      { Handle: 'fern', 'Image Src': picture('rust') },
      { Handle: 'fern', 'Image Src': picture('knitted') },
      { Handle: 'bag', Title: 'Bag', 'Variant Price': '9.00' },
    )
    const others = [
      { address: picture('all'), alt: 'All of them' },
      { address: picture('knitted'), alt: 'x'.repeat(199) },
    ]
    expect(fetched).toEqual([
      { alt: 'A skein in green', others },
      { alt: '', others },
      { alt: 'All of them', others: others.slice(1) },
      { alt: '', others: [] },
    ])
  })

  it('takes no more pictures than a product has', async () => {
    const records = Array.from({ length: 30 }, (_, n) => ({ ...(n === 0 && ONE), Handle: 'fern', 'Image Src': `${n}` }))
    const [fetched] = await fetchedOf(...records)
    expect(fetched?.others.map(({ address }) => address)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map(String))
  })

  it('is understood with the names its columns have today', async () => {
    expect(
      await rowsOf({
        Title: 'Birch Circular Needle',
        'URL handle': 'birch',
        Description: 'Warm in the hand.',
        Type: 'Needles',
        'Published on online store': 'TRUE',
        Status: 'Active',
        SKU: 'BIRCH-4',
        'Option1 name': 'Size',
        'Option1 value': '4.0 mm',
        Price: '12.00',
        'Compare-at price': '15.00',
        'Inventory quantity': '8',
        'Weight value (grams)': '40',
        'Product image URL': 'https://cdn.example.com/birch.jpg',
        'Price / International': '13.00',
      }),
    ).toEqual([
      {
        line: 2,
        sku: 'BIRCH-4',
        reasons: [],
        name: 'Birch Circular Needle, 4.0 mm',
        category: 'Needles',
        price: '15.00',
        salePrice: '12.00',
        saleFrom: '',
        saleUntil: '',
        countInStock: '8',
        description: 'Warm in the hand.',
        image: 'https://cdn.example.com/birch.jpg',
        group: 'Birch Circular Needle',
      },
    ])
  })

  it('says nothing of what it has no columns for', async () => {
    expect(await rowOf({})).toEqual({
      line: 2,
      sku: 'fern',
      reasons: [],
      name: 'Fern Hollow',
      price: '24.00',
      image: '',
    })
  })

  it('names a colour first, whichever option it is', async () => {
    const options = {
      'Option1 Name': 'Put-up',
      'Option1 Value': '100 g',
      'Option2 Name': 'Colourway',
      'Option2 Value': 'Moss',
    }
    expect(await rowOf(options)).toMatchObject({ name: 'Fern Hollow in Moss, 100 g', group: 'Fern Hollow' })
  })

  test.each([
    ['draft', { Status: 'draft' }],
    ['archived', { Status: 'Archived' }],
    ['unlisted', { Status: 'unlisted' }],
    ['not published', { Published: 'FALSE' }],
  ])('refuses what is %s there: everything that is imported is for sale', async (_what, record) => {
    expect((await rowOf(record)).reasons).toEqual([expect.stringContaining('not for sale in the shop')])
  })

  it('refuses gift cards', async () => {
    expect((await rowOf({ 'Gift Card': 'true' })).reasons).toEqual(['Gift cards are not imported.'])
  })

  test.each([
    ['its own', 'AB-1', 'AB-1'],
    ['its own in the letters of ours', 'MAL RIOS/063', 'MAL-RIOS-063'],
    ['its own without the apostrophe of spreadsheets', "'0123", '0123'],
    ['the handle and the option where it has none', '', 'fern-creme-brulee'],
    ['the handle and the option where there is nothing in it', '---', 'fern-creme-brulee'],
  ])('takes for the SKU %s', async (_what, sku, expected) => {
    const record = { 'Option1 Name': 'Color', 'Option1 Value': 'Crème Brûlée', 'Variant SKU': sku }
    expect((await rowOf(record)).sku).toBe(expected)
  })

  it('tells long and foreign names apart in the SKUs that it makes', async () => {
    const long = 'superwash-merino-'.repeat(5)
    const skus = await Promise.all(
      [long + 'a', long + 'b', 'мох', 'ржавчина'].map(async handle => (await rowOf({ Handle: handle })).sku),
    )
    expect(new Set(skus).size).toBe(4)
    for (const sku of skus) expect(sku).toMatch(/^[a-z0-9][a-z0-9-]{0,63}$/)
  })

  test.each([
    ['paragraphs', '<p>One&nbsp;&amp; two.</p>\n<p>Three<br>four</p>', 'One\u00a0& two.\n\nThree\nfour'],
    [
      'headings and lists',
      '<h3>Care</h3><ul><li>Hand wash</li><li>Dry flat</li></ul>',
      'Care\n• Hand wash\n• Dry flat',
    ],
    [
      'links and pictures',
      'See <a href="https://example.com">the pattern</a><img src="a.jpg" alt="x">',
      'See the pattern',
    ],
    ['programs and styles', '<style>p{}</style><script>alert(1)</script>Plain', 'Plain'],
    ['plain text', 'Soft & warm', 'Soft & warm'],
  ])('makes plain text of a description with %s', async (_what, html, text) => {
    expect((await rowOf({ 'Body (HTML)': html })).description).toBe(text)
  })

  it('is read in good time, however a description is nested', async () => {
    const { description } = await rowOf({ 'Body (HTML)': '<div>'.repeat(19_000) })
    expect(String(description).length).toBeLessThan(10)
  })
})
