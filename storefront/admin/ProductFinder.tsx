import { limits } from '#schema/rules/limits'
import { Combobox, type Option } from '../ui/Combobox.tsx'

interface FindableProduct {
  id: string
  name: string
  sku: string
}

interface ProductFinderProps<Product extends FindableProduct> {
  /** How many were added already. */
  added: number
  found: readonly Product[]
  searching: boolean
  failure: string | null
  /** Called with what is typed. */
  onSearch: (text: string) => void
  onAdd: (product: Product) => void
}

/** Finds products by what is typed, and adds one at a time. */
export function ProductFinder<Product extends FindableProduct>({
  added,
  found,
  searching,
  failure,
  onSearch,
  onAdd,
}: ProductFinderProps<Product>) {
  return (
    <Combobox
      // Empty again for the next one.
      key={added}
      label="Add a product"
      placeholder="Name, SKU, fibre …"
      maxLength={limits.keyword}
      value={null}
      onChange={(choice: (Option & { product: Product }) | null) => choice && onAdd(choice.product)}
      found={found.map(product => ({ id: product.id, label: product.name, detail: product.sku, product }))}
      searching={searching}
      failure={failure}
      onSearch={onSearch}
    />
  )
}
