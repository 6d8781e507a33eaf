import { styled } from 'styled-components'
import { color } from '../theme/tokens.ts'

/** A ball of yarn whose end has rolled away: for pages that do not exist or have failed. */
export function LooseThread() {
  return (
    <Drawing viewBox="0 0 340 130" aria-hidden="true" focusable="false">
      <path className="thread" d="M96 104c34 20 58-2 76-22s44-30 54-8-20 38-32 22 4-48 40-46 48 42 98 14" />
      <circle className="ball" cx="62" cy="66" r="48" />
      <path d="M17 50c26-22 66-24 90 0M14 66c30-26 68-28 96 0M17 84c28-24 64-24 90-2M32 28c-10 30-2 62 24 86M52 19c-14 32-6 66 20 94M74 20c-14 28-10 60 14 84M92 32c-10 20-8 40 6 58" />
    </Drawing>
  )
}

const Drawing = styled.svg`
  width: 100%;
  max-width: 22rem;
  height: auto;
  fill: none;
  stroke: ${color.accent};
  stroke-width: 1.5;
  stroke-linecap: round;
  .thread {
    stroke-width: 4;
  }
  .ball {
    fill: ${color.band};
  }
`
