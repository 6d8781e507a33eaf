import { styled } from 'styled-components'
import { below, color, control, radius, size, space } from '../theme/tokens.ts'
import { WarningIcon } from './icons.tsx'
import { Tooltip } from './Tooltip.tsx'

/** Marks something missing or wrong: an icon that says what on hover and focus; phones show the words. */
export function WarningMark({ text, danger }: { text: string; danger?: boolean }) {
  return (
    <Tooltip text={text}>
      <Mark type="button" aria-label={text} $danger={danger}>
        <WarningIcon size={18} />
        <span aria-hidden="true">{text}</span>
      </Mark>
    </Tooltip>
  )
}

const Mark = styled.button<{ $danger?: boolean }>`
  display: inline-flex;
  align-items: center;
  gap: ${space[1]};
  min-width: 1.5rem;
  min-height: 1.5rem;
  padding: 0;
  border: 0;
  border-radius: ${radius.sm};
  background: none;
  color: ${({ $danger }) => ($danger ? color.danger : color.warning)};
  font-size: ${size.sm};
  vertical-align: middle;
  cursor: help;
  span {
    display: none;
  }
  ${below.tablet} {
    min-width: ${control.md};
    min-height: ${control.md};
    span {
      display: inline;
    }
  }
`
