import { styled } from 'styled-components'
import { splitName } from './facts.ts'

/** The line of yarn upright, its colourway in italics on a line of its own. */
export function ProductName({ name }: { name: string }) {
  const [line, colourway] = splitName(name)
  if (!colourway) return <>{name}</>
  return (
    <>
      {line} <Colourway>{colourway}</Colourway>
    </>
  )
}

const Colourway = styled.em`
  display: block;
  font-weight: 400;
`
