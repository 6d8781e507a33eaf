import { css, styled } from 'styled-components'
import { color, radius, size, space, weight } from '../theme/tokens.ts'

const variants = {
  plain: css`
    background: ${color.band};
    color: ${color.text};
  `,
  success: css`
    background: ${color.successGround};
    color: ${color.success};
  `,
  warning: css`
    background: ${color.warningGround};
    color: ${color.warning};
  `,
  danger: css`
    background: ${color.dangerGround};
    color: ${color.danger};
  `,
}

/** A word about a state. */
export const Badge = styled.span<{ $variant?: keyof typeof variants }>`
  display: inline-block;
  padding: 0.1em ${space[2]};
  border-radius: ${radius.sm};
  font-size: ${size.xs};
  font-weight: ${weight.strong};
  line-height: 1.5;
  white-space: nowrap;
  ${({ $variant = 'plain' }) => variants[$variant]}
`
