import { styled } from 'styled-components'
import { color, size, space } from '../../theme/tokens.ts'

/** A form about a parcel, between the parcels. */
export const ParcelForm = styled.form`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[4]};
  padding: ${space[4]};
  border: 1px solid ${color.line};
  color: ${color.text};
  font-size: ${size.md};
  h3 {
    font-size: ${size.lg};
  }
`

/** The lines it is about, each with its fields. */
export const ParcelFormLines = styled.ul`
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(14rem, 100%), 1fr));
  gap: ${space[3]} ${space[4]};
  padding: 0;
  list-style: none;
`
