import { css } from 'styled-components'
import { color } from '../theme/tokens.ts'

/** Background and text colours of what shows a state: badges and notices. */
export const tones = {
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
export type Tone = keyof typeof tones
