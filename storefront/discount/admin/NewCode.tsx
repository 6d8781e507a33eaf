import { useId } from 'react'
import { useForm, useWatch, type FieldErrors, type UseFormReturn } from 'react-hook-form'
import { limits } from '#schema/rules/limits'
import { fromDecimal } from '#schema/rules/money'
import { useUnsavedWork } from '../../account/interruption.ts'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { showRefusals } from '../../data/forms.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import type { DiscountKind } from '../../generated/types.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
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

/** As typed: shares in percent, money in dollars, days as the browser writes them. */
interface Values {
  code: string
  isSeries: boolean
  kind: DiscountKind
  basisPoints: string
  amount: string
  minimum: string
  categories: string
  startsAt: string
  endsAt: string
  maxUses: string
  maxUsesPerPerson: string
  isForFirstOrder: boolean
}

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
  const id = useId()
  return (
    <Dialog
      alert
      open={open}
      onOpenChange={next => !next && onClose()}
      title="Create a code"
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={id}>
            Create code
          </Button>
        </>
      }
    >
      <Fields id={id} onMade={onClose} />
    </Dialog>
  )
}

const isMoney = (text: string) => text.trim() === '' || fromDecimal(text.trim()) !== null || 'Dollars, such as 12.50.'
const isCount = (text: string) =>
  text.trim() === '' || /^[1-9]\d{0,6}$/.test(text.trim()) || 'A whole number, or nothing.'
const isShare = (text: string) => /^\d{1,3}(\.\d{1,2})?$/.test(text.trim()) || 'Percent, such as 15.'
const countOf = (text: string) => (text.trim() === '' ? null : Number(text))
/** The first instant of a day, or of the day after it, in the owner's time zone. */
const instantOf = (day: string, after = 0) =>
  day === '' ? null : new Date(new Date(`${day}T00:00:00`).getTime() + after * 86_400_000).toISOString()

function inputOf(values: Values) {
  const { code, isSeries, kind, isForFirstOrder } = values
  return {
    code,
    isSeries,
    kind,
    basisPoints: kind === 'PERCENT' ? Math.round(Number(values.basisPoints) * 100) : null,
    amount: kind === 'AMOUNT' ? (fromDecimal(values.amount.trim()) ?? 0) : null,
    minimum: fromDecimal(values.minimum.trim()) ?? 0,
    categories: values.categories
      .split(',')
      .map(each => each.trim())
      .filter(Boolean),
    startsAt: instantOf(values.startsAt),
    endsAt: instantOf(values.endsAt, 1),
    maxUses: countOf(values.maxUses),
    maxUsesPerPerson: countOf(values.maxUsesPerPerson),
    isForFirstOrder,
  }
}

function WhatItGives({
  kind,
  form,
  errors,
}: {
  kind: DiscountKind
  form: UseFormReturn<Values>
  errors: FieldErrors<Values>
}) {
  return (
    <>
      {kind === 'PERCENT' && (
        <TextField
          {...form.register('basisPoints', { validate: isShare })}
          label="Percent off"
          inputMode="decimal"
          autoComplete="off"
          error={errors.basisPoints?.message}
        />
      )}
      {kind === 'AMOUNT' && (
        <TextField
          {...form.register('amount', {
            validate: text => (text.trim() === '' ? 'Say how much is taken off.' : isMoney(text)),
          })}
          label="Dollars off"
          inputMode="decimal"
          autoComplete="off"
          error={errors.amount?.message}
        />
      )}
    </>
  )
}

function Fields({ id, onMade }: { id: string; onMade: () => void }) {
  const [create] = useShopMutation(CreateCodeDocument)
  const invalidate = useInvalidate()
  const form = useForm<Values>({ defaultValues: BLANK })
  const { errors, isDirty, isSubmitting } = form.formState
  useUnsavedWork(isDirty)
  const [kind, isSeries] = useWatch({ control: form.control, name: ['kind', 'isSeries'] })

  async function submit(values: Values) {
    if (isSubmitting) return
    const payload = await create(
      { input: inputOf(values) },
      { onRefused: ({ userErrors }) => showRefusals(form, userErrors) },
    )
    if (!payload) return
    invalidate('auditLog', 'discountCodes')
    notify.success('Code created successfully.')
    onMade()
  }

  return (
    <Stack as="form" id={id} noValidate onSubmit={form.handleSubmit(submit)}>
      <TextField
        {...form.register('code', { validate: value => value.trim() !== '' || 'Code is required.' })}
        label={isSeries ? 'How the codes begin' : 'Code'}
        hint="Letters, digits and hyphens. Shoppers may type it in any case."
        maxLength={isSeries ? limits.code.series : limits.code.max}
        autoComplete="off"
        error={errors.code?.message}
      />
      <Checkbox {...form.register('isSeries')} label="A series: many codes that each are good for one order" />
      <Select {...form.register('kind')} label="What it gives">
        {(Object.keys(kindWords) as DiscountKind[]).map(each => (
          <option key={each} value={each}>
            {kindWords[each]}
          </option>
        ))}
      </Select>
      <WhatItGives kind={kind} form={form} errors={errors} />
      <TextField
        {...form.register('minimum', { validate: isMoney })}
        label="Items must come to"
        optional
        hint="Dollars, before anything is taken off."
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
        error={errors.categories?.message}
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
        {...form.register('maxUses', { validate: isCount })}
        label="Uses in all"
        optional
        inputMode="numeric"
        autoComplete="off"
        error={errors.maxUses?.message}
      />
      <TextField
        {...form.register('maxUsesPerPerson', { validate: isCount })}
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
