import { keyframes, styled } from 'styled-components'
import { color, radius } from '../theme/tokens.ts'

const breathe = keyframes`50% { opacity: 0.5; }`

/** Holds the place of something that is loading. `$width` and `$height` as in CSS; `$square` for a picture. */
export const Skeleton = styled.span.attrs({ 'aria-hidden': true })<{
  $width?: string
  $height?: string
  $square?: boolean
}>`
  display: block;
  width: ${({ $width = '100%' }) => $width};
  max-width: 100%;
  ${({ $square, $height = '1em' }) => ($square ? 'aspect-ratio: 1' : `height: ${$height}`)};
  border-radius: ${radius.sm};
  background: ${color.skeleton};
  animation: ${breathe} 1.6s ease-in-out infinite;
`
