import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { showRefusals } from '../../data/forms.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { notify } from '../../ui/toast.ts'
import {
  besideItsField,
  type CheckedProduct,
  type Difference,
  differences,
  inputOf,
  productForm,
  type ProductValues,
  type Seen,
  seenOf,
  valuesOf,
} from './product-values.ts'
import { type EditedProductFragment, UpdateProductDocument } from './ProductEdit.gql.ts'

export type ProductForm = ReturnType<typeof useProductForm>['form']

/** The form of a product: saves it, and compares the two when somebody else has saved the product meanwhile. */
export function useProductForm(product: EditedProductFragment) {
  const invalidate = useInvalidate()
  const [update] = useShopMutation(UpdateProductDocument)
  const form = useForm({ defaultValues: valuesOf(product), resolver: zodResolver(productForm) })
  // What the form started from. It changes with the default values, when this or somebody else's save is taken over.
  const [seen, setSeen] = useState(() => seenOf(product))
  const [conflict, setConflict] = useState<{ theirs: EditedProductFragment; differences: Difference[] } | null>(null)
  const [deciding, setDeciding] = useState(false)

  async function save(checked: CheckedProduct, from: Seen) {
    const payload = await update(
      { id: product.id, input: inputOf(checked, from) },
      {
        onRefused: ({ product: saved, userErrors }) => {
          const code = userErrors[0]?.code
          if (code === 'CONFLICT' && saved) return compare(saved, form.getValues())
          setDeciding(false)
          if (code === 'OUT_OF_STOCK' && saved) setSeen({ ...from, countInStock: saved.countInStock })
          showRefusals(form, userErrors.map(besideItsField))
        },
      },
    )
    if (!payload?.product) return
    setDeciding(false)
    setSeen(seenOf(payload.product))
    form.reset(valuesOf(payload.product))
    invalidate('productStats', 'categories', 'auditLog')
    notify.success('Product updated successfully.')
  }

  function compare(theirs: EditedProductFragment, mine: ProductValues) {
    const opened = form.formState.defaultValues as ProductValues
    const found = differences(opened, valuesOf(theirs), mine)
    if (found.length === 0) {
      // Both made the same changes, so there is nothing left to save.
      setSeen(seenOf(theirs))
      form.reset(valuesOf(theirs))
      notify.success('Product updated successfully.')
      return
    }
    setConflict({ theirs, differences: found })
    setDeciding(true)
  }

  async function settle(chosen: Partial<ProductValues>) {
    if (!conflict) return
    const { theirs } = conflict
    const values = { ...form.getValues(), ...chosen }
    setSeen(seenOf(theirs))
    form.reset(valuesOf(theirs))
    for (const [field, value] of Object.entries(values))
      form.setValue(field as keyof ProductValues, value, { shouldDirty: true })
    await form.handleSubmit(checked => save(checked, seenOf(theirs)))()
  }

  return {
    form,
    seen,
    setSeen,
    save: form.handleSubmit(checked => save(checked, seen)),
    /** Where two saves differ; `deciding` while the user chooses between them. */
    conflict,
    deciding,
    putOff: () => setDeciding(false),
    settle,
  }
}
