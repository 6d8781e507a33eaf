import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ownerLimits } from '#schema/rules/owner-limits'
import { exportQuery } from '#schema/rules/shapes/export'
import { useUnsavedWork } from '../../account/interruption.ts'
import { showRefusals } from '../../data/forms.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Select } from '../../ui/Select.tsx'
import { Stack } from '../../ui/Stack.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { StartExportDocument } from './Exports.gql.ts'

const queryOf = (connection: string, fields: string) => `{
  ${connection} {
    edges {
      node {
        ${fields.trim().replaceAll(/\s*\n\s*/g, '\n        ')}
      }
    }
  }
}`

/** The query the form suggests for each kind of export. */
const QUERIES = {
  Products: queryOf(
    'productsConnection',
    `id sku name category price countInStock expectedOn
     weight length gauge content
     rating numReviews createdAt updatedAt`,
  ),
  Orders: queryOf(
    'ordersConnection',
    `id reference status createdAt paidAt updatedAt
     itemsPrice discount shippingPrice taxPrice totalPrice includedTax taxBasisPoints taxes { basisPoints isReduced amount } refundedAmount giftCardAmount giftCardsSold
     user { userId name email }
     shippingAddress { name address address2 city state postalCode countryCode isPickup }
     items { productId sku name quantity price discount }`,
  ),
  Accounts: queryOf('usersConnection', 'id name email isAdmin createdAt updatedAt'),
  'Newsletter subscribers': queryOf('newsletterSubscribers', 'email confirmedAt unsubscribePath'),
  Reviews: queryOf('reviewsConnection', 'id rating comment name createdAt updatedAt'),
}
type Of = keyof typeof QUERIES
const kinds = Object.keys(QUERIES) as Of[]

interface NewExportProps {
  open: boolean
  onClose: () => void
  onMade: () => void
}

/** Asks what is to be exported. */
export function NewExport({ open, onClose, onMade }: NewExportProps) {
  const [of, setOf] = useState<Of>('Products')
  const form = useForm({ defaultValues: { query: QUERIES.Products }, resolver: zodResolver(exportQuery) })
  const { errors, isDirty } = form.formState
  useUnsavedWork(open && isDirty)
  const [start, { loading }] = useShopMutation(StartExportDocument)

  async function submit({ query }: { query: string }) {
    const payload = await start({ query }, { onRefused: ({ userErrors }) => showRefusals(form, userErrors) })
    if (!payload) return
    onMade()
    onClose()
  }

  return (
    <FormDialog alert open={open} onClose={onClose} title="New export" action="Export" loading={loading}>
      {id => (
        <Stack as="form" id={id} $gap={4} noValidate onSubmit={form.handleSubmit(submit)}>
          <Select
            label="What"
            value={of}
            onChange={event => {
              const chosen = kinds.find(kind => kind === event.target.value) ?? 'Products'
              setOf(chosen)
              form.reset({ query: QUERIES[chosen] })
            }}
          >
            {kinds.map(kind => (
              <option key={kind}>{kind}</option>
            ))}
          </Select>
          <TextArea
            {...form.register('query')}
            label="Fields and filter"
            hint="A query of the API without pages; what it asks of each thing is a line of the file."
            rows={14}
            spellCheck={false}
            maxLength={ownerLimits.exportQuery}
            error={errors.query?.message}
          />
        </Stack>
      )}
    </FormDialog>
  )
}
