import { css, keyframes, styled } from 'styled-components'
import { color } from '../theme/tokens.ts'
import { VisuallyHidden } from './VisuallyHidden.tsx'

const turns = [
  'M24 4a20 20 0 1 1 0 40 20 20 0 0 1 0-40',
  'M7 14c12-2 27 8 30 25',
  'M4.5 22c10-1 21 6 24 21.5',
  'M13 7.5c13 0 27 9 30.5 21',
  'M41 14C29 13 15 23 11 39',
  'M20 4.4c-7 5-13 14-14.5 23',
]

// Turns of yarn laid one after the other within six seconds; then the whole ball starts over. SPEC §9.
const layTurn = (index: number) => keyframes`
  0%, ${index * 12}% { stroke-dashoffset: 1; opacity: 1; }
  ${index * 12 + 14}%, 92% { stroke-dashoffset: 0; opacity: 1; }
  100% { stroke-dashoffset: 0; opacity: 0; }
`
const Ball = styled.svg`
  color: ${color.accent};
  path {
    stroke-dasharray: 1;
    animation: 6s ease-in-out infinite;
  }
  ${turns.map(
    (_, index) => css`
      path:nth-child(${index + 1}) {
        animation-name: ${layTurn(index)};
      }
    `,
  )}
  @media (prefers-reduced-motion: reduce) {
    path {
      animation: none;
    }
  }
`

/** A ball that winds itself, for waits where a skeleton does not fit. */
export function Loader({ label = 'Loading', size = 48 }: { label?: string; size?: number }) {
  return (
    <span role="status">
      <Ball
        width={size}
        height={size}
        viewBox="0 0 48 48"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        aria-hidden="true"
      >
        {turns.map(path => (
          <path key={path} d={path} pathLength={1} />
        ))}
      </Ball>
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  )
}
