import { type FormEvent, type ReactNode, useState } from 'react'
import { styled } from 'styled-components'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { messageOf } from '../../data/errors.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import type { BulkProductChange } from '../../generated/types.ts'
import { space } from '../../theme/tokens.ts'
import type { ButtonVariant } from '../../ui/Button.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { notify } from '../../ui/toast.ts'
import { type AdminProductFragment, BulkUpdateProductsDocument } from './Products.gql.ts'

export type Selected = ReadonlyMap<string, AdminProductFragment>

export interface DialogProps {
  selected: Selected
  onSelect: (rows: Selected) => void
  open: boolean
  onClose: () => void
}

interface BulkDialogProps extends DialogProps {
  title: string
  description?: string
  confirm: string
  variant?: ButtonVariant
  /** The change to make, or what is still wrong with the form. */
  change: BulkProductChange | string
  onProblem?: (problem: string) => void
  done: (count: string) => string
  children?: ReactNode
}

/** Carries a change out; shows the refusals, each with the name of its product. */
export function BulkDialog({
  selected,
  onSelect,
  open,
  onClose,
  title,
  description,
  confirm,
  variant = 'primary',
  change,
  onProblem,
  done,
  children,
}: BulkDialogProps) {
  const [update, { loading }] = useShopMutation(BulkUpdateProductsDocument)
  const [refusals, setRefusals] = useState<string[]>([])
  const invalidate = useInvalidate()

  const close = () => {
    setRefusals([])
    onClose()
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (loading) return
    if (typeof change === 'string') return onProblem?.(change)
    const products = [...selected.values()]
    const payload = await update(
      { ids: products.map(({ id }) => id), versions: products.map(({ version }) => version), change },
      {
        onRefused: ({ userErrors }) => {
          setRefusals(
            userErrors.map(({ field, message }) => {
              const name = selected.get(field?.at(-1) ?? '')?.name
              return name ? `${name}: ${message}` : message
            }),
          )
          // Products that changed meanwhile are deselected, because somebody has to look at them again first.
          const changed = new Set(
            userErrors
              .filter(({ code }) => code === 'CONFLICT' || code === 'NOT_FOUND')
              .map(({ field }) => field?.at(-1)),
          )
          if (changed.size > 0)
            onSelect(new Map(products.filter(({ id }) => !changed.has(id)).map(product => [product.id, product])))
        },
        onFailed: error => setRefusals([messageOf(error)]),
      },
    )
    if (!payload) return
    invalidate('productStats', 'categories', 'auditLog')
    notify.success(done(countOf(payload.changed)))
    onSelect(new Map())
    close()
  }

  return (
    <FormDialog
      open={open}
      onClose={close}
      alert
      title={title}
      description={description}
      action={confirm}
      variant={variant}
      loading={loading}
      disabledReason={selected.size === 0 ? 'Nothing is selected any more.' : null}
    >
      {id => (
        <Form id={id} noValidate onSubmit={event => void submit(event)}>
          {refusals.length > 0 && (
            <Notice variant="danger">
              {refusals.slice(0, 5).map(refusal => (
                <p key={refusal}>{refusal}</p>
              ))}
              {refusals.length > 5 && <p>And {refusals.length - 5} more. Nothing was changed.</p>}
            </Notice>
          )}
          {children}
        </Form>
      )}
    </FormDialog>
  )
}

export const countOf = (count: number) => (count === 1 ? '1 product' : `${count} products`)

const Form = styled.form`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[4]};
`
