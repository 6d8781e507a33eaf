import { styled } from 'styled-components'
import { knownCarriers, trackingLink } from '#schema/rules/carriers'
import { ownerLimits } from '#schema/rules/owner-limits'
import { color, size, space } from '../../theme/tokens.ts'
import { Select } from '../../ui/Select.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { ParcelFragment } from '../Parcels.gql.ts'

const OTHER = 'other'

export interface TypedTracking {
  /** A carrier the shop knows, `OTHER`, or empty for none. */
  carrier: string
  otherCarrier: string
  number: string
  url: string
}

export const NO_TRACKING: TypedTracking = { carrier: '', otherCarrier: '', number: '', url: '' }

/** A parcel's tracking, in the form's fields. */
export function typedTracking({ carrier, trackingNumber, trackingUrl }: ParcelFragment): TypedTracking {
  const isKnown = carrier !== null && (knownCarriers as readonly string[]).includes(carrier)
  return {
    carrier: isKnown ? carrier : carrier || trackingUrl ? OTHER : '',
    otherCarrier: isKnown ? '' : (carrier ?? ''),
    number: trackingNumber ?? '',
    url: trackingUrl === trackingLink(carrier, trackingNumber) ? '' : (trackingUrl ?? ''),
  }
}

/** What was typed, as the API takes it. */
export const readTracking = ({ carrier, otherCarrier, number, url }: TypedTracking) => ({
  carrier: (carrier === OTHER ? otherCarrier.trim() : carrier) || null,
  trackingNumber: number.trim() || null,
  trackingUrl: url.trim() || null,
})

interface TrackingFieldsProps {
  typed: TypedTracking
  problems: Readonly<Record<string, string>>
  onChange: (typed: TypedTracking) => void
}

/** Who carries a parcel, and where it can be followed. */
export function TrackingFields({ typed, problems, onChange }: TrackingFieldsProps) {
  const { carrier, otherCarrier, number, url } = typed
  const link = url ? null : trackingLink(carrier, number.trim())
  return (
    <>
      <Fields>
        <Select
          label="Carrier"
          value={carrier}
          onChange={event => onChange({ ...typed, carrier: event.target.value, url: '' })}
        >
          <option value="">No carrier</option>
          {knownCarriers.map(name => (
            <option key={name}>{name}</option>
          ))}
          <option value={OTHER}>Another carrier …</option>
        </Select>
        {carrier === OTHER && (
          <TextField
            label="Name of the carrier"
            autoComplete="off"
            maxLength={ownerLimits.carrier}
            value={otherCarrier}
            error={problems['carrier']}
            onChange={event => onChange({ ...typed, otherCarrier: event.target.value })}
          />
        )}
        <TextField
          label="Tracking number"
          optional
          autoComplete="off"
          spellCheck={false}
          maxLength={ownerLimits.trackingNumber}
          value={number}
          error={problems['trackingNumber']}
          onChange={event => onChange({ ...typed, number: event.target.value })}
        />
        {(carrier === OTHER || url) && (
          <TextField
            label="Tracking link"
            optional
            type="url"
            autoComplete="off"
            maxLength={ownerLimits.trackingUrl}
            value={url}
            error={problems['trackingUrl']}
            onChange={event => onChange({ ...typed, url: event.target.value })}
          />
        )}
      </Fields>
      {link && (
        <Quiet>
          Your shopper follows it at{' '}
          <a href={link} target="_blank" rel="noreferrer">
            {new URL(link).host}
          </a>
          .
        </Quiet>
      )}
    </>
  )
}

const Fields = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(14rem, 100%), 1fr));
  gap: ${space[3]} ${space[4]};
`
const Quiet = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
  overflow-wrap: anywhere;
`
