import { createHash } from 'node:crypto'
import { compile } from 'html-to-text'
import { limits } from '#schema/rules/limits'
import { fromDecimal } from '#schema/rules/money'
import { ownerLimits } from '#schema/rules/owner-limits'
import { present } from '#schema/rules/present'
import { readKind } from '#schema/rules/facts/kind'
import { sku as skuRule } from '#schema/rules/shapes/product'
import { slugOf } from '#schema/rules/slug'
import { columns, type CsvRow, type Field, type RowReader } from './columns.ts'

/**
 * The columns of Shopify's export of products that are read, by their names of today and those until 2024
 * (https://help.shopify.com/en/manual/products/import-export/using-csv). All others are passed over.
 */
const HEADERS = {
  handle: ['url handle', 'handle'],
  title: ['title'],
  body: ['description', 'body (html)'],
  type: ['type'],
  category: ['product category'],
  published: ['published on online store', 'published'],
  status: ['status'],
  giftCard: ['gift card'],
  option1Name: ['option1 name'],
  option1Value: ['option1 value'],
  option2Name: ['option2 name'],
  option2Value: ['option2 value'],
  option3Name: ['option3 name'],
  option3Value: ['option3 value'],
  sku: ['sku', 'variant sku'],
  price: ['price', 'variant price'],
  compareAt: ['compare-at price', 'variant compare at price'],
  stock: ['inventory quantity', 'variant inventory qty'],
  grams: ['weight value (grams)', 'variant grams'],
  image: ['product image url', 'image src'],
  imageAlt: ['image alt text'],
  variantImage: ['variant image url', 'variant image'],
} satisfies Record<string, string[]>

type Name = keyof typeof HEADERS

/** The cell of a column in a record; undefined where the file has no such column. */
type CellOf = (name: Name) => string | undefined

/** What the first row of a product says for all of its variants. */
interface Parent {
  handle: string
  title: string
  description: string | undefined
  category: string | undefined
  optionNames: string[]
  reasons: string[]
}

/** What the rows of one handle say. */
interface Product {
  parent: Parent
  variants: { cell: CellOf; line: number }[]
  /** The words of each picture, by its address. */
  pictures: Map<string, string>
}

/**
 * Reads an export of products from Shopify, where the rows of one handle are the variants of a product, and rows with a
 * picture alone. Each variant becomes a product of a group with the title's name. Null for a header of another kind.
 */
export function shopifyReader(header: readonly string[]): RowReader | null {
  const names = header.map(name => name.toLowerCase())
  const places = new Map(
    Object.entries(HEADERS).map(([name, known]) => [name, names.findIndex(each => known.includes(each))]),
  )
  const has = (name: Name) => present(places.get(name)) >= 0
  if (!has('handle') || !has('title')) return null
  let product: Product | null = null
  const rest = () => {
    const rows = product ? rowsOf(product) : []
    product = null
    return rows
  }
  const read: RowReader['read'] = (record, line) => {
    const cell: CellOf = name => (has(name) ? (record[present(places.get(name))] ?? '') : undefined)
    const handle = cell('handle')
    const isFirst = product === null || (handle !== '' && handle !== product.parent.handle)
    const before = isFirst ? rest() : []
    product ??= { parent: parentOf(cell), variants: [], pictures: new Map() }
    if (isFirst || [cell('option1Value'), cell('sku'), cell('price')].some(Boolean))
      product.variants.push({ cell, line })
    const picture = cell('image')
    // A character that the end cuts in two goes as a whole.
    const alt = (cell('imageAlt') ?? '').slice(0, limits.pictureAlt).replace(/\p{Surrogate}$/u, '')
    if (picture) product.pictures.set(picture, product.pictures.get(picture) || alt)
    return before
  }
  return { read, rest }
}

function parentOf(cell: CellOf): Parent {
  const body = cell('body')
  return {
    handle: cell('handle') ?? '',
    title: cell('title') ?? '',
    description: body === undefined ? undefined : toText(body).trim(),
    // A place in Shopify's taxonomy is written as "Arts & Entertainment > Hobbies > Yarn".
    category: cell('type') || cell('category')?.split('>').at(-1)?.trim() || cell('type'),
    optionNames: OPTIONS.map(option => cell(`${option}Name`) ?? ''),
    reasons: refusals(cell),
  }
}

const OPTIONS = ['option1', 'option2', 'option3'] as const

/** Descriptions are plain text here. Nested more deeply than any description is, it ends. */
const toText = compile({
  wordwrap: false,
  limits: { maxDepth: 50, ellipsis: '…' },
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'img', format: 'skip' },
    { selector: 'ul', options: { itemPrefix: '• ' } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(selector => ({
      selector,
      options: { uppercase: false, leadingLineBreaks: 2, trailingLineBreaks: 1 },
    })),
  ],
})

/** Everything that is imported is for sale. */
function refusals(cell: CellOf): string[] {
  if (/^(true|yes)$/i.test(cell('giftCard') ?? '')) return ['Gift cards are not imported.']
  const isForSale = /^(|active)$/i.test(cell('status') ?? '') && !/^(false|no)$/i.test(cell('published') ?? '')
  return isForSale
    ? []
    : ['It is not for sale in the shop that the file comes from: its status is not “active”, or it is not published.']
}

/** A row for each variant. It has its own picture before those of them all, without what shows another variant. */
function rowsOf({ parent, variants, pictures }: Product): CsvRow[] {
  const owns = new Set(variants.map(({ cell }) => cell('variantImage')))
  const [first = ''] = pictures.keys()
  return variants.map(({ cell, line }) => {
    const image = cell('variantImage') || first
    const others = [...pictures].flatMap(([address, alt]) =>
      address !== image && !owns.has(address) ? [{ address, alt }] : [],
    )
    const fetched = { alt: pictures.get(image) ?? '', others: others.slice(0, ownerLimits.pictures - 1) }
    return { ...rowOf(parent, cell, image), line, fetched }
  })
}

function rowOf(parent: Parent, cell: CellOf, image: string): Omit<CsvRow, 'line' | 'fetched'> {
  const { title, handle, category, description } = parent
  // A product without variants has one option all the same: "Title", which is "Default Title".
  const options = OPTIONS.flatMap((option, place) => {
    const value = cell(`${option}Value`) ?? ''
    return value === '' || value === 'Default Title' ? [] : [{ name: parent.optionNames[place] ?? '', value }]
  })
  const values = options.map(({ value }) => value)
  const isYarn = readKind({ category: category ?? '', name: title, weight: '', length: '' }) === 'YARN'
  const grams = Math.round(Number(cell('grams')))
  const said: Partial<Record<Field, string | undefined>> = {
    name: nameOf(title, options),
    category,
    ...pricesOf(cell),
    // Less than none was sold there before it came.
    countInStock: cell('stock')?.replace(/^-\d+$/, '0'),
    description,
    image,
    // Of other things it is the weight of the parcel.
    weight: isYarn && grams > 0 ? `${grams} g` : undefined,
    group: options.length > 0 && title ? title : undefined,
  }
  return {
    sku: skuOf(cell('sku') ?? '', [handle, ...values]),
    cells: columns.flatMap(column => {
      const cell = said[column.field]
      return cell === undefined ? [] : [{ column, cell }]
    }),
    reasons: parent.reasons,
  }
}

/** "Fern Hollow in Moss, 100 g", as the names in a group are. */
function nameOf(title: string, options: readonly { name: string; value: string }[]): string {
  const colour = options.find(({ name }) => /colou?r|shade/i.test(name))
  const others = options.filter(option => option !== colour).map(({ value }) => value)
  return title && [colour ? `${title} in ${colour.value}` : title, ...others].join(', ')
}

/** A higher price to compare with is what it costs when it is not on sale. */
function pricesOf(cell: CellOf): Partial<Record<Field, string | undefined>> {
  const [price, compareAt] = [cell('price'), cell('compareAt')]
  if (compareAt === undefined) return { price }
  const isSale = (fromDecimal(compareAt) ?? 0) > (fromDecimal(price ?? '') ?? Infinity)
  return {
    price: isSale ? compareAt : price,
    salePrice: isSale ? price : '',
    saleFrom: '',
    saleUntil: '',
  }
}

/** Its own SKU, in the letters that SKUs have here; without one, what the handle and the options say, so that a second import finds it again. */
function skuOf(given: string, parts: readonly string[]): string {
  const own = given.replace(/^'/, '').replace(/[^A-Za-z0-9._-]+/g, '-')
  if (/[A-Za-z0-9]/.test(own)) return own.replace(/^[^A-Za-z0-9]+/, '')
  const said = parts.map(slugOf).join('-')
  if (skuRule.safeParse(said).success) return said
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 8)
  return `${said.replace(/[^a-z0-9-]+|^-+/g, '').slice(0, 50)}-${digest}`.replace(/^-+/, '')
}
