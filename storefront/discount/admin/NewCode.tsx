import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch, type FieldErrors, type UseFormRegister } from 'react-hook-form'
import type { z } from 'zod'
import { ownerLimits } from '#schema/rules/owner-limits'
import { typedCode } from '#schema/rules/shapes/discount'
import { useUnsavedWork } from '../../account/interruption.ts'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { problemOfList, showRefusals } from '../../data/forms.ts'
import { type OnRefused, useShopMutation } from '../../data/use-shop-mutation.ts'
import type { DiscountCodeInput, DiscountKind } from '../../generated/types.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Select } from '../../ui/Select.tsx'
import { Stack } from '../../ui/Stack.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { notify } from '../../ui/toast.ts'
import { CreateCodeDocument } from './Codes.gql.ts'

const kindWords: Record<DiscountKind, string> = {
  PERCENT: 'A share of the items',
  AMOUNT: 'An amount',
  FREE_SHIPPING: 'Free shipping',
}

type Values = z.input<typeof typedCode>

const BLANK: Values = {
  code: '',
  isSeries: false,
  kind: 'PERCENT',
  basisPoints: '15',
  amount: '',
  minimum: '',
  categories: '',
  startsAt: '',
  endsAt: '',
  maxUses: '',
  maxUsesPerPerson: '1',
  isForFirstOrder: false,
}

export function NewCode({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [create, { loading }] = useShopMutation(CreateCodeDocument)
  const invalidate = useInvalidate()
  return (
    <FormDialog alert open={open} onClose={onClose} title="Create a code" action="Create code" loading={loading}>
      {id => (
        <Fields
          id={id}
          save={async (input, onRefused) => {
            if (!(await create({ input }, { onRefused }))) return
            invalidate('auditLog')
            notify.success('Code created successfully.')
            onClose()
          }}
        />
      )}
    </FormDialog>
  )
}

interface WhatItGivesProps {
  kind: DiscountKind
  register: UseFormRegister<Values>
  errors: FieldErrors<Values>
}

function WhatItGives({ kind, register, errors }: WhatItGivesProps) {
  return (
    <>
      {kind === 'PERCENT' && (
        <TextField
          {...register('basisPoints')}
          label="Percent off"
          inputMode="decimal"
          autoComplete="off"
          error={errors.basisPoints?.message}
        />
      )}
      {kind === 'AMOUNT' && (
        <TextField
          {...register('amount')}
          label="Amount off"
          inputMode="decimal"
          autoComplete="off"
          error={errors.amount?.message}
        />
      )}
    </>
  )
}

interface FieldsProps {
  id: string
  save: (input: DiscountCodeInput, onRefused: OnRefused) => Promise<void>
}

function Fields({ id, save }: FieldsProps) {
  const form = useForm({ defaultValues: BLANK, resolver: zodResolver(typedCode) })
  const { errors, isDirty, isSubmitting } = form.formState
  useUnsavedWork(isDirty)
  const [kind, isSeries] = useWatch({ control: form.control, name: ['kind', 'isSeries'] })

  async function submit({ startsAt, endsAt, ...code }: z.output<typeof typedCode>) {
    if (isSubmitting) return
    const input = { ...code, startsAt: startsAt?.toISOString() ?? null, endsAt: endsAt?.toISOString() ?? null }
    await save(input, ({ userErrors }) => showRefusals(form, userErrors))
  }

  function forgetWhatItGave() {
    form.setValue('basisPoints', '')
    form.setValue('amount', '')
  }

  return (
    <Stack as="form" id={id} noValidate onSubmit={form.handleSubmit(submit)}>
      <TextField
        {...form.register('code')}
        label={isSeries ? 'How the codes begin' : 'Code'}
        hint="Letters, digits and hyphens. Shoppers may type it in any case."
        maxLength={isSeries ? ownerLimits.code.series : ownerLimits.code.max}
        autoComplete="off"
        error={errors.code?.message}
      />
      <Checkbox {...form.register('isSeries')} label="A series: many codes that each are good for one order" />
      <Select
        {...form.register('kind', { onChange: forgetWhatItGave })}
        label="What it gives"
        error={errors.kind?.message}
      >
        {(Object.keys(kindWords) as DiscountKind[]).map(each => (
          <option key={each} value={each}>
            {kindWords[each]}
          </option>
        ))}
      </Select>
      <WhatItGives kind={kind} register={form.register} errors={errors} />
      <TextField
        {...form.register('minimum')}
        label="Items must come to"
        optional
        hint="Before anything is taken off."
        inputMode="decimal"
        autoComplete="off"
        error={errors.minimum?.message}
      />
      <TextField
        {...form.register('categories')}
        label="Categories"
        optional
        hint="Separated by commas. Everything when left empty."
        autoComplete="off"
        error={problemOfList(errors.categories)}
      />
      <TextField
        {...form.register('startsAt')}
        label="First day"
        optional
        type="date"
        error={errors.startsAt?.message}
      />
      <TextField {...form.register('endsAt')} label="Last day" optional type="date" error={errors.endsAt?.message} />
      <TextField
        {...form.register('maxUses')}
        label="Uses in all"
        optional
        inputMode="numeric"
        autoComplete="off"
        error={errors.maxUses?.message}
      />
      <TextField
        {...form.register('maxUsesPerPerson')}
        label="Uses a person"
        optional
        inputMode="numeric"
        autoComplete="off"
        error={errors.maxUsesPerPerson?.message}
      />
      <Checkbox {...form.register('isForFirstOrder')} label="For first orders only" />
    </Stack>
  )
}
