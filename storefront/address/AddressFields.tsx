import { useSuspenseQuery } from '@apollo/client/react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { styled } from 'styled-components'
import type { z } from 'zod'
import { COUNTRIES, countryNamed } from '#schema/rules/countries'
import { limits } from '#schema/rules/limits'
import type { labelledAddress } from '#schema/rules/shapes/address'
import { ShopDocument } from '../app/Shop.gql.ts'
import { from, space } from '../theme/tokens.ts'
import { TextField } from '../ui/TextField.tsx'

/** An address with its name in the address book. */
export type AddressValues = z.output<typeof labelledAddress>

/** A form with an address. */
export type AddressFormControl = UseFormReturn<z.input<typeof labelledAddress>, unknown, AddressValues>

const COUNTRY_LIST = 'countries'
const maxLength = limits.addressLine

interface AddressFieldsProps {
  form: AddressFormControl
  /** Whether nothing is sent there, so that no carrier has to call. */
  isDownload?: boolean
}

/** Where a parcel goes, line by line. SPEC §5: name and country are required. */
export function AddressFields({ form, isDownload = false }: AddressFieldsProps) {
  const { errors } = form.formState
  const { delivery, pricingPolicy } = useSuspenseQuery(ShopDocument).data.shop
  const { shipsTo } = delivery
  const country = countryNamed(useWatch({ control: form.control, name: 'country' }) ?? '')
  const there = pricingPolicy.taxRates.filter(rate => rate.country === country)
  const needsState = there.some(rate => rate.state !== null)
  const needsPostalCode = there.some(rate => rate.postalCodes.length > 0)
  return (
    <>
      <TextField
        {...form.register('name')}
        label="Name"
        required
        autoComplete="shipping name"
        maxLength={maxLength}
        error={errors.name?.message}
      />
      <TextField
        {...form.register('address')}
        label="Address"
        optional
        autoComplete="shipping address-line1"
        maxLength={maxLength}
        error={errors.address?.message}
      />
      <TextField
        {...form.register('address2')}
        label="Address line 2"
        optional
        autoComplete="shipping address-line2"
        maxLength={maxLength}
        error={errors.address2?.message}
      />
      <TextField
        {...form.register('city')}
        label="City"
        optional
        autoComplete="shipping address-level2"
        maxLength={maxLength}
        error={errors.city?.message}
      />
      <Pair>
        <TextField
          {...form.register('state')}
          label="State"
          optional={!needsState}
          autoComplete="shipping address-level1"
          maxLength={maxLength}
          error={errors.state?.message}
        />
        <TextField
          {...form.register('postalCode')}
          label="Postal code"
          optional={!needsPostalCode}
          autoComplete="shipping postal-code"
          maxLength={maxLength}
          error={errors.postalCode?.message}
        />
      </Pair>
      <TextField
        {...form.register('country', {
          onBlur: event => form.setValue('country', countryNamed((event.target as HTMLInputElement).value)),
        })}
        label="Country"
        required
        list={COUNTRY_LIST}
        autoComplete="shipping country-name"
        maxLength={maxLength}
        error={errors.country?.message}
      />
      <datalist id={COUNTRY_LIST}>
        {(shipsTo.length > 0 ? shipsTo : COUNTRIES).map(name => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
      {!isDownload && (
        <TextField
          {...form.register('phone')}
          label="Phone"
          optional
          type="tel"
          hint="The carrier calls only about this parcel."
          autoComplete="shipping tel"
          maxLength={limits.phone}
          error={errors.phone?.message}
        />
      )}
    </>
  )
}

/** The name of an address in the address book. */
export function LabelField({ form }: { form: AddressFormControl }) {
  return (
    <TextField
      {...form.register('label')}
      label="What to call it"
      optional
      hint="Home, for example."
      maxLength={limits.addressLabel}
      error={form.formState.errors.label?.message}
    />
  )
}

const Pair = styled.div`
  display: grid;
  gap: ${space[4]};
  ${from.tablet} {
    grid-template-columns: 1fr 1fr;
  }
`
