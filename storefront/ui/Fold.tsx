import { styled } from 'styled-components'
import { color, control, size, space, weight } from '../theme/tokens.ts'

/** A band that opens below its head. The head is a `summary` of what it is, something small about it, and a chevron. */
export const Fold = styled.details`
  padding: 0 ${space[4]};
  background: ${color.band};
  summary {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 ${space[3]};
    min-height: ${control.lg};
    list-style: none;
    cursor: pointer;
  }
  summary::-webkit-details-marker {
    display: none;
  }
  summary > :first-child {
    flex: 1 1 7rem;
  }
  summary small {
    font-size: ${size.sm};
    font-weight: ${weight.regular};
    color: ${color.textQuiet};
  }
  &[open] summary svg {
    rotate: 180deg;
  }
`
