import { styled } from 'styled-components'

/** A measure as the reader has chosen to read them; see theme/units.ts. */
export function Measure({ metric, us }: { metric: string; us: string }) {
  if (metric === us) return metric
  return (
    <>
      <Metric>{metric}</Metric>
      <Us>{us}</Us>
    </>
  )
}

const Metric = styled.span`
  display: var(--metric);
`
const Us = styled.span`
  display: var(--us);
`
