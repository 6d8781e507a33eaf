import { styled } from 'styled-components'

/** A measure in the units the reader has chosen; see theme/units.ts. */
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
