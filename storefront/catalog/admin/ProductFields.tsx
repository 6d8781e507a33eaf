import { useQuery } from '@apollo/client/react'
import { useId } from 'react'
import { Controller, type FieldErrors } from 'react-hook-form'
import { styled } from 'styled-components'
import { currencyName } from '#schema/rules/currency'
import { limits } from '#schema/rules/limits'
import { ownerLimits } from '#schema/rules/owner-limits'
import { kindOf, labelOf, PRODUCT_FIELDS, type ProductField } from '#schema/rules/product-fields'
import { groupNameOf } from '#schema/rules/variant-name'
import { ReducedTaxSelect } from '../../tax/admin/ReducedTaxSelect.tsx'
import { color, font, from, size, space, weight } from '../../theme/tokens.ts'
import { clockZone } from '../../ui/dates.ts'
import { Select } from '../../ui/Select.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { GroupField } from './GroupField.tsx'
import { flag, type ProductValues } from './product-values.ts'
import type { EditedProductFragment } from './ProductEdit.gql.ts'
import { CategoriesDocument } from './Products.gql.ts'
import type { ProductForm } from './use-product-form.ts'

interface FieldsProps {
  product: EditedProductFragment
  form: ProductForm
  errors: FieldErrors<ProductValues>
}

const line = { maxLength: limits.productText, autoComplete: 'off' }

/** What is typed about a product. */
export function ProductFields({ product, form, errors }: FieldsProps) {
  return (
    <>
      <WhatItIs product={product} form={form} errors={errors} />
      <Sale form={form} errors={errors} />
      <OnTheBand form={form} errors={errors} />
    </>
  )
}

function WhatItIs({ product, form, errors }: FieldsProps) {
  const categoriesId = useId()
  const categories = useQuery(CategoriesDocument).data?.categories
  return (
    <Group>
      <legend>What it is</legend>
      <Wide>
        <TextField {...form.register('name')} {...line} label="Name" error={errors.name?.message} />
      </Wide>
      <TextField
        {...form.register('category')}
        {...line}
        label="Category"
        required
        list={categoriesId}
        error={errors.category?.message}
      />
      <TextField
        {...form.register('sku')}
        label="SKU"
        required
        maxLength={ownerLimits.sku}
        autoComplete="off"
        error={errors.sku?.message}
      />
      <datalist id={categoriesId}>
        {categories?.map(name => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
      <TextField
        {...form.register('price')}
        label="Price"
        required
        hint={product.compareAtPrice === null ? currencyName() : `${currencyName()}, when it is not on sale`}
        inputMode="decimal"
        autoComplete="off"
        error={errors.price?.message}
      />
      <TextField
        {...form.register('countInStock')}
        label="Count in stock"
        required
        hint={
          product.isDownload
            ? 'What is not sent never runs out.'
            : product.keptByLot
              ? 'The sum of its dye lots.'
              : 'Units sold while you edit stay sold.'
        }
        readOnly={product.keptByLot || product.isDownload}
        inputMode="numeric"
        autoComplete="off"
        error={errors.countInStock?.message}
      />
      <TextField
        {...form.register('expectedOn')}
        type="date"
        label="Expected on"
        optional
        hint={
          product.expectedOn === null
            ? 'Give a day to sell by pre-order: the stock is then what comes on it.'
            : `${product.preordered.toLocaleString('en-US')} ordered ahead, and the stock is what is left of the delivery. Empty the day once it is here.`
        }
        error={errors.expectedOn?.message}
      />
      <ReducedTaxSelect {...form.register('reducedTax')} error={errors.reducedTax?.message} />
      <Wide>
        <Controller
          control={form.control}
          name="group"
          render={({ field }) => (
            <GroupField
              value={field.value}
              onChange={field.onChange}
              suggestion={groupNameOf(product.name)}
              error={errors.group?.message}
            />
          )}
        />
      </Wide>
      <Wide>
        <TextArea
          {...form.register('description')}
          label="Description"
          rows={6}
          maxLength={ownerLimits.description}
          error={errors.description?.message}
        />
      </Wide>
    </Group>
  )
}

function Sale({ form, errors }: Omit<FieldsProps, 'product'>) {
  return (
    <Group>
      <legend>Sale</legend>
      <Wide>
        <Hint>
          A sale begins and ends by itself. Discount codes count on top, from the sale price. Times are yours (
          {clockZone()}).
        </Hint>
      </Wide>
      <Wide>
        <TextField
          {...form.register('salePrice')}
          label="Sale price"
          hint={`${currencyName()}; nothing when there is no sale`}
          inputMode="decimal"
          autoComplete="off"
          error={errors.salePrice?.message}
        />
      </Wide>
      <TextField
        {...form.register('saleFrom')}
        type="datetime-local"
        label="From"
        hint="At once when left empty"
        error={errors.saleFrom?.message}
      />
      <TextField
        {...form.register('saleUntil')}
        type="datetime-local"
        label="Until"
        hint="Until you end it when left empty"
        error={errors.saleUntil?.message}
      />
    </Group>
  )
}

/** Fields that have their control somewhere else on the page. */
const ELSEWHERE: readonly ProductField[] = [
  'name',
  'category',
  'price',
  'countInStock',
  'expectedOn',
  'reducedTax',
  'description',
  'image',
]
const ALL = Object.keys(PRODUCT_FIELDS) as ProductField[]
const ON_THE_BAND = [...new Set<ProductField>(['weight', 'length', 'gauge', 'content', ...ALL])].filter(
  field => !ELSEWHERE.includes(field),
)

const HINTS: Partial<Record<ProductField, string>> = {
  weight: 'For example 100 g',
  length: 'For example 210 m (230 yd)',
  content: 'Fibre or material',
}

function OnTheBand({ form, errors }: Omit<FieldsProps, 'product'>) {
  return (
    <Group>
      <legend>On the band</legend>
      {ON_THE_BAND.map(name => {
        const about = { ...form.register(name), label: labelOf(name), hint: HINTS[name], error: errors[name]?.message }
        if (kindOf(name) === 'flag')
          return (
            <Select key={name} {...about}>
              {flag.words.map(word => (
                <option key={word}>{word}</option>
              ))}
            </Select>
          )
        const field = <TextField key={name} {...about} {...line} />
        return name === 'recommendedCare' ? <Wide key={name}>{field}</Wide> : field
      })}
    </Group>
  )
}

const Group = styled.fieldset`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[4]};
  align-items: start;
  legend {
    padding: 0;
    margin-bottom: ${space[3]};
    font: ${weight.medium} ${size.lg} / 1.12 ${font.serif};
  }
  ${from.tablet} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
`
const Wide = styled.div`
  ${from.tablet} {
    grid-column: 1 / -1;
  }
`
const Hint = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
