import { type ComponentProps, type MouseEvent, type ReactNode, useId } from 'react'
import { css, keyframes, styled } from 'styled-components'
import { color, control, font, motion, radius, size as type, space, weight } from '../theme/tokens.ts'
import { VisuallyHidden } from './VisuallyHidden.tsx'

export type ButtonVariant = 'primary' | 'quiet' | 'danger'
type ButtonSize = 'sm' | 'md' | 'lg'

const variants = {
  primary: css`
    background: ${color.action};
    border-color: ${color.action};
    color: ${color.onAction};
    &:hover:not(:disabled, [aria-disabled='true']) {
      background: ${color.actionHover};
      border-color: ${color.actionHover};
    }
  `,
  quiet: css`
    background: transparent;
    border-color: ${color.lineStrong};
    color: ${color.text};
    &:hover:not(:disabled, [aria-disabled='true']) {
      border-color: ${color.text};
      background: ${color.band};
    }
  `,
  danger: css`
    background: transparent;
    border-color: ${color.danger};
    color: ${color.danger};
    &:hover:not(:disabled, [aria-disabled='true']) {
      background: ${color.dangerGround};
    }
  `,
}

export interface ButtonLook {
  $variant?: ButtonVariant
  $size?: ButtonSize
  $wide?: boolean
}

/** Shared by Button and LinkButton. */
export const buttonLook = css<ButtonLook>`
  display: inline-flex;
  align-items: center;
  justify-content: center;
  gap: ${space[2]};
  min-height: ${({ $size = 'md' }) => control[$size]};
  width: ${({ $wide }) => ($wide ? '100%' : 'auto')};
  padding: 0 ${({ $size = 'md' }) => ({ sm: space[3], md: space[5], lg: space[6] })[$size]};
  border: 1px solid;
  border-radius: ${radius.md};
  font: ${weight.strong} ${({ $size = 'md' }) => ($size === 'sm' ? type.sm : type.md)} / 1.2 ${font.sans};
  text-align: center;
  text-decoration: none;
  transition:
    background ${motion.fast},
    border-color ${motion.fast},
    color ${motion.fast};
  &:disabled,
  &[aria-disabled='true'] {
    cursor: not-allowed;
    background: ${color.band};
    border-color: ${color.line};
    color: ${color.textQuiet};
  }
  ${({ $variant = 'primary' }) => variants[$variant]}
`

const Native = styled.button<ButtonLook>`
  ${buttonLook}
  &:disabled,
  &[aria-disabled='true'] {
    background: ${color.band};
    border-color: ${color.line};
    color: ${color.textQuiet};
  }
`

const wind = keyframes`to { transform: rotate(1turn); }`
const Winding = styled.span`
  width: 1em;
  height: 1em;
  flex: none;
  border: 2px solid currentcolor;
  border-right-color: transparent;
  border-radius: ${radius.pill};
  animation: ${wind} 900ms linear infinite;
`

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant
  size?: ButtonSize
  /** As wide as its container. */
  wide?: boolean
  /** Busy: keeps its width and place in the tab order, ignores presses. */
  loading?: boolean
  /** Why it cannot be pressed. Shown on hover and read by screen readers; the button stays focusable. */
  disabledReason?: string | null
  icon?: ReactNode
}

export function Button({
  variant,
  size,
  wide,
  loading = false,
  disabledReason,
  icon,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const reasonId = useId()
  const blocked = loading || Boolean(disabledReason)
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (blocked) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <Native
      {...rest}
      type={type}
      onClick={press}
      $variant={variant}
      $size={size}
      $wide={wide}
      aria-disabled={blocked || undefined}
      aria-busy={loading || undefined}
      aria-describedby={disabledReason ? reasonId : rest['aria-describedby']}
      title={disabledReason ?? rest.title}
    >
      {loading ? <Winding aria-hidden="true" /> : icon}
      {children}
      {disabledReason && <VisuallyHidden id={reasonId}>{disabledReason}</VisuallyHidden>}
    </Native>
  )
}
