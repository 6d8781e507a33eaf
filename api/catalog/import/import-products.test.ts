import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { ask, auditOf, ledgerDifferences, REFUSED, upload } from '../../testing/admin.ts'
import { line, lotsOf, placed } from '../../testing/purchase.ts'
import { makeProduct, makeUser, openShop, portionsOf, type Account, type TestShop } from '../../testing/shop.ts'
import { readCsv } from './read-csv.ts'
import { NO_PICTURE } from '#schema/rules/image'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true, name: 'Ada Admin' })
})
afterAll(() => shop?.close())

const IMPORT =
  'id fileName status createdBy totalRows creates updates unchanged refused appliedRows canUndo appliedAt undoneAt'
const ROWS = 'total pages items { line action sku name productId changes { field before after } reasons }'

async function preview(csv: string | Uint8Array, name = 'products.csv') {
  const answer = await upload(
    shop,
    admin,
    `mutation($csv: Upload!) { importProducts(csv: $csv) { productImport { ${IMPORT} erases rows { ${ROWS} } } ${REFUSED} } }`,
    'csv',
    new Blob([csv as string]),
    name,
  )
  expect(answer.errors).toBeUndefined()
  return answer.data.importProducts
}
const step = (field: 'applyImport' | 'undoImport') => async (id: string) =>
  (
    await ask(
      shop,
      admin,
      `mutation($id: ID!) { done: ${field}(id: $id) { productImport { ${IMPORT} } ${REFUSED} } }`,
      {
        id,
      },
    )
  ).done
const [apply, undo] = [step('applyImport'), step('undoImport')]
const read = async (id: string, action?: string) =>
  (
    await ask(
      shop,
      admin,
      `query($id: ID!, $action: ImportAction) { productImport(id: $id) { ${IMPORT} rows(action: $action) { ${ROWS} } } }`,
      { id, action },
    )
  ).productImport
const findBySku = async (sku: string) =>
  (
    await ask(
      shop,
      admin,
      'query($search: String) { adminProducts(filter: { search: $search }) { items { id sku name price countInStock category version isDraft content } } }',
      { search: sku },
    )
  ).adminProducts.items.find(item => item.sku === sku)
const bySku = async (sku: string) => present(await findBySku(sku))
const exported = async (filter: object = {}) =>
  (await ask(shop, admin, 'query($filter: AdminProductFilter) { exportProducts(filter: $filter) }', { filter }))
    .exportProducts

describe('the preview', () => {
  it('says row by row what would happen, and changes nothing', async () => {
    const yarn = await makeProduct(shop.em(), { sku: 'WOOL-1', name: 'Old wool', price: 2400, countInStock: 5 })
    await makeProduct(shop.em(), { sku: 'SAME-1', name: 'Same', price: 100, countInStock: 1 })
    const { productImport, userErrors } = await preview(
      [
        'sku,name,price,count_in_stock',
        'wool-1,New wool,25.00,8',
        'SAME-1,Same,1.00,1',
        'NEW-1,"Brand ""new"", wool",9.5,3',
        ',Without SKU,1,0',
        'BAD-1,,abc,-3',
        'NEW-1,Again,1,1',
        'bad sku!,Name,1,1',
        'EXTRA-1,Name,1,1,too much',
      ].join('\n'),
      '../../my list.csv',
    )
    expect(userErrors).toEqual([])
    expect(productImport).toMatchObject({
      fileName: 'my list.csv',
      status: 'READY',
      createdBy: 'Ada Admin',
      totalRows: 8,
      creates: 2,
      updates: 1,
      unchanged: 1,
      refused: 4,
      appliedRows: 0,
      canUndo: false,
    })
    expect(productImport.rows.items).toEqual([
      {
        line: 2,
        action: 'UPDATE',
        sku: 'WOOL-1',
        name: 'New wool',
        productId: yarn.id,
        reasons: [],
        changes: [
          { field: 'name', before: 'Old wool', after: 'New wool' },
          { field: 'price', before: '2400', after: '2500' },
          { field: 'countInStock', before: '5', after: '8' },
        ],
      },
      expect.objectContaining({ line: 3, action: 'UNCHANGED', changes: [] }),
      expect.objectContaining({
        line: 4,
        action: 'CREATE',
        sku: 'NEW-1',
        name: 'Brand "new", wool',
        productId: null,
        changes: expect.arrayContaining([{ field: 'price', before: null, after: '950' }]),
      }),
      expect.objectContaining({ line: 5, action: 'CREATE', sku: null, name: 'Without SKU' }),
      expect.objectContaining({
        line: 6,
        action: 'REFUSED',
        reasons: [
          'Price is not an amount such as 12.50.',
          'Count in stock is not a whole number of 0 or more.',
          'Name is required for a new product.',
        ],
      }),
      expect.objectContaining({ line: 7, action: 'REFUSED', reasons: ['SKU NEW-1 is on line 4 already.'] }),
      expect.objectContaining({ line: 8, action: 'REFUSED', reasons: [expect.stringContaining('SKU is 1 to 64')] }),
      expect.objectContaining({ line: 9, action: 'REFUSED', reasons: [expect.stringContaining('more cells')] }),
    ])
    expect((await read(productImport.id, 'REFUSED')).rows.total).toBe(4)
    expect(await findBySku('NEW-1')).toBeUndefined()
    expect(await bySku('WOOL-1')).toMatchObject({ name: 'Old wool', version: 1 })
  })

  test.each([
    ['with a byte order mark', '\uFEFFsku,name,price\nA-1,Ä name,1.00\n'],
    ['with semicolons and decimal commas', 'sku;name;price\nA-1;Ä name;1,00'],
    ['with Windows line ends', 'sku,name,price\r\nA-1,Ä name,1.00\r\n'],
    ['with old Mac line ends', 'sku,name,price\rA-1,Ä name,1.00\r'],
    ['with quotes everywhere', '"sku","name","price"\n"A-1","Ä name","1.00"'],
    ['with spaces and empty lines', '\n SKU , Name , Price \n\n A-1 , Ä name , $1.00 \n,,\n'],
    ['with other spellings of the headers, in another order', 'Price,NAME,Sku\n1,Ä name,a-1'],
  ])('understands a file %s', async (_how, csv) => {
    const { productImport, userErrors } = await preview(csv)
    expect(userErrors).toEqual([])
    expect(productImport.rows.items).toMatchObject([
      {
        action: 'CREATE',
        sku: 'A-1',
        name: 'Ä name',
        changes: expect.arrayContaining([{ field: 'price', before: null, after: '100' }]),
      },
    ])
  })

  it('knows on which line of the file a row starts', async () => {
    const { productImport } = await preview(
      'sku,name,price,description\r\nL-1,One,1,"two\r\nlines"\r\n\r\nL-2,Two,1,x\r\n',
    )
    expect(productImport.rows.items.map((row: { line: number }) => row.line)).toEqual([2, 5])
  })

  test.each<[string, string | Uint8Array, RegExp]>([
    ['nothing', '', /holds no products/],
    ['a header only', 'sku,name,price\n', /holds no products/],
    ['a column nobody knows', 'sku,colour\nA,B', /no column "colour"/],
    ['a column twice', 'sku,name,Name\nA,B,C', /twice/],
    ['neither SKU nor name', 'price\n1', /column sku/],
    ['a quote that is never closed', 'sku,name\nA,"B\nC,D\n', /never closed/],
    ['text behind a quote', 'sku,name\nA,"B"C\n', /line 2/],
    ['Latin-1', Buffer.from('sku,name\nA,K\xe4se', 'latin1'), /UTF-8/],
    ['UTF-16', Buffer.from('\uFEFFsku,name\nA,B', 'utf16le'), /UTF-8/],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]), /UTF-8/],
    ['nothing but cells in one line', '"",'.repeat(3_000_000), /more than 200 cells/],
    ['nothing but blank lines', `sku,name\n${'"",""\n'.repeat(1_700_000)}`, /more than 100,000 lines/],
    [
      'more than 20,000 rows',
      `sku,name,price\n${Array.from({ length: 20_001 }, (_, index) => `M-${index},x,1`).join('\n')}`,
      /20,000 rows/,
    ],
  ])('refuses a file with %s', async (_what, csv, message) => {
    expect(await preview(csv)).toMatchObject({
      productImport: null,
      userErrors: [{ code: 'FILE_UNREADABLE', message: expect.stringMatching(message) }],
    })
  })

  it('refuses more than 10 MB', async () => {
    expect(await preview(`sku,name\n${'x'.repeat(11 * 1024 * 1024)}`)).toMatchObject({
      productImport: null,
      userErrors: [{ code: 'FILE_TOO_LARGE' }],
    })
  })
})

it('lets others have their turn while it reads', async () => {
  const row = `"${'x'.repeat(500)}",`.repeat(5)
  const file = Buffer.from(`name,category,description,weight,length\n${`${row.slice(0, -1)}\n`.repeat(3_900)}`)
  let turns = 0
  let isReading = true
  const count = () => {
    turns++
    if (isReading) setImmediate(count)
  }
  count()
  let rows = 0
  for await (const _row of readCsv(file)) rows++
  isReading = false
  expect(rows).toBe(3_900)
  expect(turns).toBeGreaterThan(file.length / 100_000)
})

it('refuses another count of what is kept by dye lot, and takes the rest of such a row', async () => {
  await makeProduct(shop.em(), { sku: 'LOT-1', name: 'In lots', lots: { 4412: 8, 4417: 2 } })
  await makeProduct(shop.em(), { sku: 'LOT-2', name: 'In lots too', lots: { 4412: 3 } })
  const { productImport } = await preview('sku,name,count_in_stock\nLOT-1,In lots,11\nLOT-2,Renamed,3')
  expect(productImport).toMatchObject({ refused: 1, updates: 1 })
  expect((await read(productImport.id, 'REFUSED')).rows.items).toMatchObject([
    { line: 2, reasons: [expect.stringContaining('“In lots” is kept by dye lot')] },
  ])
  expect((await apply(productImport.id)).userErrors).toEqual([])
  expect(await bySku('LOT-2')).toMatchObject({ name: 'Renamed', countInStock: 3 })
})

describe('the column of dye lots', () => {
  it('is refused for what is downloaded', async () => {
    await makeProduct(shop.em(), { sku: 'PDF-1', name: 'Rib hat', isDownload: true })
    const { productImport } = await preview('sku,name,lots\nPDF-1,Rib hat,4412:6')
    expect((await read(productImport.id, 'REFUSED')).rows.items).toMatchObject([
      { reasons: ['Products to download cannot have dye lots.'] },
    ])
  })

  const lotsBySku = async (sku: string) => lotsOf(shop, (await bySku(sku)).id)

  it('begins to keep stock by lot, changes it, and is taken back', async () => {
    await makeProduct(shop.em(), { sku: 'DYE-1', name: 'Whole', countInStock: 10 })
    await makeProduct(shop.em(), { sku: 'DYE-2', name: 'In lots', lots: { 4412: 8, 4417: 2 } })
    const { productImport } = await preview(
      'sku,name,price,lots\nDYE-1,Whole,,4412:6 | 4417:5\nDYE-2,In lots,,4412:8|4420:4\nDYE-3,New,9.00,A:7',
    )
    expect(productImport).toMatchObject({ updates: 2, creates: 1, refused: 0 })
    expect(productImport.rows.items.map(({ changes }) => changes)).toMatchObject([
      [
        { field: 'countInStock', before: '10', after: '11' },
        { field: 'lots', before: '', after: '4412:6|4417:5' },
      ],
      [
        { field: 'countInStock', before: '10', after: '12' },
        { field: 'lots', before: '4412:8|4417:2', after: '4412:8|4420:4' },
      ],
      expect.arrayContaining([{ field: 'lots', before: null, after: 'A:7' }]),
    ])
    // What was sold from a lot since the preview stays sold.
    const inLots = await bySku('DYE-2')
    await placed(shop, await makeUser(shop.em()), [{ ...line(inLots, 3), lots: portionsOf({ 4412: 3 }) }])
    expect((await apply(productImport.id)).userErrors).toEqual([])
    expect([await lotsBySku('DYE-1'), await lotsBySku('DYE-2'), await lotsBySku('DYE-3')]).toEqual([
      { 4412: 6, 4417: 5 },
      { 4412: 5, 4420: 4 },
      { A: 7 },
    ])
    expect(await bySku('DYE-2')).toMatchObject({ countInStock: 9 })
    expect(await exported({ search: 'DYE-1' })).toContain('4412:6|4417:5')

    expect((await undo(productImport.id)).userErrors).toEqual([])
    expect([await lotsBySku('DYE-1'), await lotsBySku('DYE-2')]).toEqual([{}, { 4412: 5, 4417: 2 }])
    expect(await bySku('DYE-1')).toMatchObject({ countInStock: 10 })
    expect(await ledgerDifferences(shop)).toEqual([])
  })

  it('says nothing where it is empty or as it was, and is what its lots are whatever the count says', async () => {
    await makeProduct(shop.em(), { sku: 'DYE-4', name: 'In lots', lots: { A: 8 } })
    const { productImport } = await preview('sku,name,count_in_stock,lots\nDYE-4,In lots,8,')
    expect(productImport).toMatchObject({ unchanged: 1 })
    const counted = await preview('sku,name,count_in_stock,lots\nDYE-4,In lots,99,A:3')
    expect(nth(counted.productImport.rows.items, 0).changes).toMatchObject([
      { field: 'countInStock', before: '8', after: '3' },
      { field: 'lots', before: 'A:8', after: 'A:3' },
    ])
  })

  it('is refused as a whole when units were sold since the preview of which nobody knows the lot', async () => {
    const yarn = await makeProduct(shop.em(), { sku: 'DYE-5', name: 'Whole', countInStock: 10 })
    const { productImport } = await preview('sku,name,lots\nDYE-5,Whole,A:10')
    await placed(shop, await makeUser(shop.em()), [line(yarn, 1)])
    expect((await apply(productImport.id)).userErrors).toMatchObject([
      { code: 'CONFLICT', message: expect.stringContaining('“Whole” (DYE-5) was changed since this preview') },
    ])
    expect([await lotsBySku('DYE-5'), (await bySku('DYE-5')).countInStock]).toEqual([{}, 9])
  })

  it.each(['A', 'A:1|A:2', 'A:-1', 'A:1000001'])('is refused as %j', async cell => {
    const { productImport } = await preview(`sku,name,price,lots\nDYE-6,New,1.00,${cell}`)
    expect(productImport).toMatchObject({ refused: 1 })
  })
})

it('says which cells are blank and erase what is there', async () => {
  await makeProduct(shop.em(), { sku: 'ERASE-1', name: 'Kept', category: 'Aran', content: '100% wool', price: 500 })
  await makeProduct(shop.em(), { sku: 'ERASE-2', category: '', content: '' })
  const { productImport } = await preview(
    'sku,name,category,price,content\nERASE-1,,,,\nERASE-2,,,,\nERASE-3,New,,1.00,',
  )
  expect(productImport).toMatchObject({ erases: 2, updates: 1, unchanged: 1, creates: 1 })
  expect(nth(productImport.rows.items, 0).changes).toEqual([
    { field: 'category', before: 'Aran', after: '' },
    { field: 'content', before: '100% wool', after: '' },
  ])
})

it('takes an export of Shopify: variants become a group, and the same file says nothing new a second time', async () => {
  const csv = [
    'Handle,Title,Body (HTML),Type,Published,Option1 Name,Option1 Value,Variant SKU,Variant Grams,Variant Inventory Qty,Variant Price,Variant Compare At Price,Status',
    'lark,Lark Sock,<p>Two plies.</p><p>Round.</p>,Sock Yarn,TRUE,Color,Moss,LARK-MOSS,100,12,19.90,24.50,active',
    'lark,,,,,,Rust,LARK-RUST,100,3,24.50,,',
    'gone,Old Bag,,Bags,FALSE,Title,Default Title,OLD-BAG,0,1,10.00,,archived',
  ].join('\n')
  const { productImport } = await preview(csv)
  expect(productImport).toMatchObject({ totalRows: 3, creates: 2, refused: 1 })
  expect((await apply(productImport.id)).userErrors).toEqual([])
  expect(await bySku('LARK-MOSS')).toMatchObject({ name: 'Lark Sock in Moss', price: 1990, countInStock: 12 })
  expect(await bySku('LARK-RUST')).toMatchObject({ name: 'Lark Sock in Rust', price: 2450, countInStock: 3 })
  const { product } = await ask(
    shop,
    admin,
    'query($id: ID!) { product(id: $id) { description weight category compareAtPrice image group { name variesBy products { name } } } }',
    { id: (await bySku('LARK-MOSS')).id },
  )
  expect(product).toEqual({
    description: 'Two plies.\n\nRound.',
    weight: '100 g',
    category: 'Sock Yarn',
    compareAtPrice: 2450,
    image: NO_PICTURE,
    group: {
      name: 'Lark Sock',
      variesBy: 'COLOUR',
      products: [{ name: 'Lark Sock in Moss' }, { name: 'Lark Sock in Rust' }],
    },
  })
  expect((await preview(csv)).productImport).toMatchObject({ unchanged: 2, refused: 1 })

  // Cells of a sale that is over clear it.
  const dearer = await preview(csv.replace('19.90,24.50', '24.50,'))
  expect(dearer.productImport).toMatchObject({ updates: 1, unchanged: 1, refused: 1 })
  expect((await apply(dearer.productImport.id)).userErrors).toEqual([])
  expect(await bySku('LARK-MOSS')).toMatchObject({ price: 2450 })
  expect((await undo(dearer.productImport.id)).userErrors).toEqual([])
  expect(await bySku('LARK-MOSS')).toMatchObject({ price: 1990 })
})

describe('export and template', () => {
  test.each(['=1+1', "'=1+1", "''=1+1", "'plain", '＝1+1', '＋1', '－1', '＠SUM(A1)', "'＝1", '-', "'"])(
    'gives back %j as it is, and not as a formula',
    async content => {
      const { sku } = await makeProduct(shop.em(), { category: `Text ${content}`, content })
      const csv = await exported({ search: sku })
      const [head, row] = csv
        .trimEnd()
        .split('\r\n')
        .map(text => text.split(','))
      const cell = present(present(row)[present(head).indexOf('content')]).replace(/^"/, '')
      expect(cell).toContain(content.replace(/^'+/, ''))
      expect(cell).not.toMatch(/^[=+\-@＝＋－＠\t]/)
      expect((await preview(csv)).productImport).toMatchObject({ totalRows: 1, unchanged: 1 })
      await shop.em().execute(`update products set content = 'other' where sku = ?`, [sku])
      const { productImport } = await preview(csv)
      expect(nth(productImport.rows.items, 0).changes).toContainEqual({
        field: 'content',
        before: 'other',
        after: content,
      })
    },
  )

  it('gives back what a new import leaves as it is, and no spreadsheet runs it', async () => {
    await makeProduct(shop.em(), {
      sku: 'X-1',
      name: '=HYPERLINK("http://evil")',
      description: 'Two\nlines, "quoted"; and more',
      content: '-1 wool',
      price: 5,
      category: 'Export',
    })
    await makeProduct(shop.em(), { sku: 'X-2', name: 'Ünïcode 🧶', category: 'Export', publishedAt: null })
    await makeProduct(shop.em(), { sku: 'X-3', category: 'Export', archivedAt: new Date() })
    const csv = await exported({ category: 'Export' })
    expect(csv.startsWith('\uFEFFsku,name,category,price,count_in_stock,')).toBe(true)
    expect(csv.split('\r\n')).toHaveLength(4)
    expect(csv).toContain(`"'=HYPERLINK(""http://evil"")"`)
    expect(csv).toContain(',0.05,')
    expect((await preview(csv)).productImport).toMatchObject({ totalRows: 2, unchanged: 2, refused: 0 })
  })

  it('offers a template that can be imported', async () => {
    const { productImportTemplate } = await ask(shop, admin, '{ productImportTemplate }')
    expect((await preview(productImportTemplate)).productImport).toMatchObject({ totalRows: 2, creates: 2, refused: 0 })
  })
})

describe('applied and undone', () => {
  it('changes, creates, and takes back; sales in between are not lost', async () => {
    const yarn = await makeProduct(shop.em(), { sku: 'UNDO-1', name: 'Before', price: 1000, countInStock: 10 })
    const { productImport } = await preview(
      'sku,name,price,count_in_stock\nUNDO-1,After,11,20\nUNDO-2,Created,5,7\n,Nameless SKU,5,0\nUNDO-4,Bad,x,1',
    )
    const buyer = await makeUser(shop.em())
    await placed(shop, buyer, [line(yarn, 4)])

    const applied = await apply(productImport.id)
    expect(applied).toMatchObject({
      userErrors: [],
      productImport: { status: 'APPLIED', appliedRows: 3, canUndo: true },
    })
    expect(await bySku('UNDO-1')).toMatchObject({ name: 'After', price: 1100, countInStock: 16, version: 2 })
    const created = await bySku('UNDO-2')
    expect(created).toMatchObject({ name: 'Created', countInStock: 7, isDraft: false })
    const { items } = (await read(productImport.id)).rows
    expect(items[1]).toMatchObject({ productId: created.id, sku: 'UNDO-2' })
    expect(nth(items, 2).sku).toMatch(/^SKN-\d+$/)
    expect(await auditOf(shop, admin, yarn.id)).toMatchObject([
      {
        action: 'UPDATED',
        importId: productImport.id,
        changes: [{ field: 'name' }, { field: 'price', before: '1000', after: '1100' }, { field: 'countInStock' }],
      },
    ])
    expect(await auditOf(shop, admin, productImport.id)).toMatchObject([
      { action: 'APPLIED', entity: 'IMPORT', label: 'products.csv' },
    ])
    expect(await apply(productImport.id)).toMatchObject({
      userErrors: [{ code: 'IMPORT_STATE' }],
      productImport: { status: 'APPLIED' },
    })

    await placed(shop, buyer, [line(yarn, 5), { productId: created.id, quantity: 2 }])
    expect(await undo(productImport.id)).toMatchObject({
      userErrors: [],
      productImport: { status: 'UNDONE', canUndo: false },
    })
    expect(await bySku('UNDO-1')).toMatchObject({ name: 'Before', price: 1000, countInStock: 1 })
    expect(await findBySku('UNDO-2')).toBeUndefined()
    expect(await ledgerDifferences(shop)).toEqual([])
    expect((await auditOf(shop, admin, yarn.id))[0]).toMatchObject({
      action: 'UPDATED',
      changes: [{ field: 'name', before: 'After', after: 'Before' }, { field: 'price' }, { field: 'countInStock' }],
    })
    expect((await auditOf(shop, admin, created.id))[0]).toMatchObject({ action: 'ARCHIVED' })
    expect((await undo(productImport.id)).userErrors).toMatchObject([{ code: 'IMPORT_STATE' }])

    // The SKU is free again: the same file can be imported once more.
    expect((await preview('sku,name,price\nUNDO-2,Created,5')).productImport).toMatchObject({ creates: 1 })
  })

  it('is taken back to nothing where there was nothing before', async () => {
    await shop.em().execute('alter table products alter column image drop not null')
    const { id } = await makeProduct(shop.em(), { sku: 'NULL-1' })
    await shop.em().execute('update products set image = null where id = ?', [id])
    const { productImport } = await preview('sku,image\nNULL-1,/images/other.webp')
    const image = async () => (await shop.em().execute('select image from products where id = ?', [id]))[0]?.image
    expect((await apply(productImport.id)).userErrors).toEqual([])
    expect(await image()).toBe('/images/other.webp')
    expect((await undo(productImport.id)).userErrors).toEqual([])
    expect(await image()).toBeNull()
    await shop.em().execute(`update products set image = '' where image is null`)
    await shop.em().execute('alter table products alter column image set not null')
  })

  it('leaves facts that were set by hand as they are, and reads the others anew', async () => {
    const { id } = await makeProduct(shop.em(), { sku: 'FACT-1', category: 'DK' })
    await ask(
      shop,
      admin,
      'mutation($id: ID!) { patchProduct(id: $id, input: { factCorrections: { metres: 300 } }) { userErrors { code } } }',
      { id },
    )
    const facts = async () =>
      (
        await ask(shop, admin, 'query($id: ID!) { product(id: $id) { facts { weightClass metres corrected } } }', {
          id,
        })
      ).product.facts
    const { productImport } = await preview('sku,category,length\nFACT-1,Lace,800 m')
    await apply(productImport.id)
    expect(await facts()).toEqual({ weightClass: 'LACE', metres: 300, corrected: ['metres'] })
    await undo(productImport.id)
    expect(await facts()).toEqual({ weightClass: 'DK', metres: 300, corrected: ['metres'] })
  })

  it('is refused as a whole when a product was saved since the preview', async () => {
    const yarn = await makeProduct(shop.em(), { sku: 'STALE-1', name: 'Stale' })
    const { productImport } = await preview('sku,name,price\nSTALE-1,From the file,1\nSTALE-2,New,1')
    await ask(
      shop,
      admin,
      'mutation($id: ID!) { patchProduct(id: $id, input: { name: "By hand" }) { userErrors { code } } }',
      { id: yarn.id },
    )
    expect((await apply(productImport.id)).userErrors).toMatchObject([
      {
        code: 'CONFLICT',
        message: '“By hand” (STALE-1) was changed since this preview was made. Please import the file again.',
      },
    ])
    expect(await read(productImport.id)).toMatchObject({ status: 'READY', appliedRows: 0 })
    expect(await bySku('STALE-1')).toMatchObject({ name: 'By hand' })
    expect(await findBySku('STALE-2')).toBeUndefined()
    expect(await auditOf(shop, admin, productImport.id)).toEqual([])
  })

  it('is undone only as the last one, and only while nobody changed its products', async () => {
    await makeProduct(shop.em(), { sku: 'LAST-1', name: 'First name' })
    const first = (await preview('sku,name\nLAST-1,Second name')).productImport
    await apply(first.id)
    const second = (await preview('sku,name\nLAST-1,Third name')).productImport
    await apply(second.id)
    expect(await read(first.id)).toMatchObject({ canUndo: false })
    expect((await undo(first.id)).userErrors).toMatchObject([{ code: 'IMPORT_STATE' }])

    const { id } = await bySku('LAST-1')
    await ask(
      shop,
      admin,
      'mutation($id: ID!) { patchProduct(id: $id, input: { price: 1 }) { userErrors { code } } }',
      { id },
    )
    expect((await undo(second.id)).userErrors).toMatchObject([
      {
        code: 'CONFLICT',
        message: '“Third name” (LAST-1) was changed since the import was applied, so nothing was undone.',
      },
    ])
    expect(await read(second.id)).toMatchObject({ status: 'APPLIED' })
    expect(await bySku('LAST-1')).toMatchObject({ name: 'Third name' })
  })

  it('names a few of many products that were changed since', async () => {
    const skus = Array.from({ length: 7 }, (_, index) => `MANY-${index}`)
    for (const sku of skus) await makeProduct(shop.em(), { sku, name: `Name of ${sku}` })
    const { productImport } = await preview(`sku,name\n${skus.map(sku => `${sku},From the file`).join('\n')}`)
    await shop.em().execute(`update products set version = version + 1 where sku in (?)`, [skus])
    const [refusal] = (await apply(productImport.id)).userErrors
    expect(present(refusal).message).toMatch(
      /^“Name of MANY-\d” \(MANY-\d\), .+, and 3 more products were changed since/,
    )
  })

  it('creates nothing when another product took a SKU since the preview', async () => {
    const { productImport } = await preview('sku,name,price\nTAKEN-1,Mine,1\nTAKEN-2,Mine too,1')
    await makeProduct(shop.em(), { sku: 'TAKEN-2' })
    expect((await apply(productImport.id)).userErrors).toMatchObject([{ code: 'SKU_TAKEN' }])
    expect(await findBySku('TAKEN-1')).toBeUndefined()
  })

  test.each(['0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c', 'abc'])('of an import %j that is not there', async id => {
    expect((await apply(id)).userErrors).toMatchObject([{ code: 'NOT_FOUND' }])
    expect((await undo(id)).userErrors).toMatchObject([{ code: 'NOT_FOUND' }])
    expect(await read(id)).toBeNull()
  })

  it('of a preview made before there was a column, leaves blank what the preview could not say', async () => {
    const { productImport } = await preview('sku,name,price\nEARLIER-1,Earlier,1')
    await shop
      .em()
      .execute(`update product_import_rows set fields = fields - 'gauge' - 'image' where import_id = ?`, [
        productImport.id,
      ])
    expect((await apply(productImport.id)).userErrors).toEqual([])
    const [made] = await shop
      .em()
      .execute<object[]>(`select gauge, image, price, sale_price from products where sku = 'EARLIER-1'`)
    expect(made).toEqual({ gauge: '', image: NO_PICTURE, price: 100, sale_price: null })
  })

  it('twice at once is applied once', async () => {
    const { productImport } = await preview('sku,name,price,count_in_stock\nTWICE-1,Twice,1,4')
    const answers = await Promise.all([apply(productImport.id), apply(productImport.id)])
    expect(answers.filter(({ userErrors }) => userErrors.length === 0)).toHaveLength(1)
    expect(await bySku('TWICE-1')).toMatchObject({ countInStock: 4 })
  })
})

it('reads, applies and undoes 10,000 rows with a bad one in the middle, watched', { timeout: 300_000 }, async () => {
  const em = shop.em()
  await em.execute(`insert into products (id, sku, name, image, description, weight, length, gauge, knitting_needle, crochet_hook, recommended_care, content, category, price, count_in_stock, created_at, published_at)
    select gen_random_uuid(), 'BIG-' || n, 'Big ' || n, '/images/yarn.webp', 'Soft', '100 g', '', '', '', '', '', 'wool', 'Big', 1000, 0, now(), now() from generate_series(1, 5000) n`)
  const rows = Array.from({ length: 10_000 }, (_, index) =>
    index === 5_000
      ? 'BIG-BAD,Bad row,not a price,1,Big'
      : `BIG-${index + 1},Imported ${index + 1},12.34,${index % 7},Big`,
  )
  const started = performance.now()
  const memory = process.memoryUsage().rss

  const { productImport } = await preview(['sku,name,price,count_in_stock,category', ...rows].join('\r\n'))
  expect(productImport).toMatchObject({ totalRows: 10_000, updates: 5_000, creates: 4_999, refused: 1 })
  const { rows: refused } = await read(productImport.id, 'REFUSED')
  expect(refused.items).toMatchObject([{ line: 5_002, reasons: ['Price is not an amount such as 12.50.'] }])

  const seen = new Set<number>()
  const watch = { done: false }
  const watching = (async () => {
    while (!watch.done) {
      seen.add((await read(productImport.id)).appliedRows)
      await setTimeout(20)
    }
  })()
  expect(await apply(productImport.id)).toMatchObject({
    userErrors: [],
    productImport: { status: 'APPLIED', appliedRows: 9_999 },
  })
  watch.done = true
  await watching
  expect([...seen].filter(count => count > 0 && count < 9_999).length).toBeGreaterThan(0)

  const count = async () => {
    const imported = `category = 'Big' and name like 'Imported %' and archived_at is null`
    const [{ number }] = await em.execute<[{ number: number }]>(
      `select count(*)::int as number from products where ${imported}`,
    )
    return number
  }
  expect(await count()).toBe(9_999)
  expect(await bySku('BIG-10000')).toMatchObject({ price: 1234, countInStock: 9_999 % 7 })
  expect(await ledgerDifferences(shop)).toEqual([])
  expect(
    (await ask(shop, admin, 'query { auditLog(filter: { entity: PRODUCT }) { total } }')).auditLog.total,
  ).toBeGreaterThanOrEqual(9_999)

  expect((await undo(productImport.id)).userErrors).toEqual([])
  expect(await count()).toBe(0)
  expect(await bySku('BIG-4000')).toMatchObject({ name: 'Big 4000', price: 1000, countInStock: 0 })
  expect(await ledgerDifferences(shop)).toEqual([])
  const seconds = (performance.now() - started) / 1000
  console.log(
    `10,000 rows read, applied and undone in ${seconds.toFixed(1)} s, memory +${Math.round((process.memoryUsage().rss - memory) / 1e6)} MB`,
  )
})
