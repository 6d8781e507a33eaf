import { Dialog as Base } from '@base-ui/react/dialog'
import { css, styled } from 'styled-components'
import { depth } from '../theme/z-index.ts'
import { color, font, from, motion, radius, shadow, size, space, weight } from '../theme/tokens.ts'
import type { DialogProps } from './Dialog.tsx'
import { CloseIcon } from './icons.tsx'
import { iconButtonLook } from './IconButton.tsx'

const Backdrop = styled(Base.Backdrop)`
  position: fixed;
  inset: 0;
  z-index: ${depth.dialog};
  background: ${color.scrim};
  transition: opacity ${motion.slow};
  &[data-starting-style],
  &[data-ending-style] {
    opacity: 0;
  }
`
const Viewport = styled(Base.Viewport)<{ $side?: boolean }>`
  position: fixed;
  inset: 0;
  z-index: ${depth.dialog};
  display: grid;
  place-items: end center;
  overflow-y: auto;
  ${from.tablet} {
    ${({ $side }) => ($side ? 'place-items: stretch end;' : `place-items: center; padding: ${space[5]};`)}
  }
`
const Popup = styled(Base.Popup)<{ $side?: boolean }>`
  position: relative;
  width: 100%;
  max-width: 32rem;
  padding: ${space[5]} ${space[5]} ${space[6]};
  background: ${color.raised};
  color: ${color.text};
  border-radius: ${radius.md} ${radius.md} 0 0;
  box-shadow: ${shadow};
  transition:
    opacity ${motion.slow},
    translate ${motion.slow};
  &[data-starting-style],
  &[data-ending-style] {
    opacity: 0;
    translate: 0 1rem;
  }
  ${from.tablet} {
    padding: ${space[6]};
    border-radius: ${radius.md};
    ${({ $side }) =>
      $side &&
      css`
        max-width: 27rem;
        border-radius: 0;
        &[data-starting-style],
        &[data-ending-style] {
          translate: 2rem 0;
        }
      `}
  }
`
const Title = styled(Base.Title)`
  margin-right: ${space[7]};
  font: ${weight.medium} ${size.h2} / 1.15 ${font.serif};
  letter-spacing: -0.01em;
`
const Description = styled(Base.Description)`
  margin-top: ${space[3]};
  color: ${color.textQuiet};
`
const Body = styled.div`
  margin-top: ${space[5]};
  &:empty {
    display: none;
  }
`
const Actions = styled.div`
  display: flex;
  flex-direction: column-reverse;
  gap: ${space[3]};
  margin-top: ${space[5]};
  ${from.tablet} {
    flex-flow: row wrap;
    justify-content: flex-end;
  }
`
const Close = styled(Base.Close)<{ $size?: 'sm' | 'md' }>`
  ${iconButtonLook}
  position: absolute;
  top: ${space[3]};
  right: ${space[3]};
`

export default function DialogPanel({
  open,
  onOpenChange,
  title,
  description,
  actions,
  alert,
  side,
  initialFocus,
  children,
}: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange} disablePointerDismissal={alert}>
      <Base.Portal>
        {/* Forced, so that a question over another dialog has a backdrop, too. */}
        <Backdrop forceRender />
        <Viewport $side={side}>
          <Popup $side={side} role={alert ? 'alertdialog' : 'dialog'} initialFocus={initialFocus}>
            <Title>{title}</Title>
            {description && <Description>{description}</Description>}
            <Body>{children}</Body>
            {actions && <Actions>{actions}</Actions>}
            <Close aria-label="Close">
              <CloseIcon size={20} />
            </Close>
          </Popup>
        </Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
