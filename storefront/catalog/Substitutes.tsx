import { styled } from 'styled-components'
import { counted } from '#schema/rules/skeins'
import { color, from, size, space, upTo } from '../theme/tokens.ts'
import type { AlikeFragment } from './Alike.gql.ts'
import { CostDifference } from './CostDifference.tsx'
import { PickItem } from './PickItem.tsx'

const SIZES = '(min-width: 60rem) 16vw, 40vw'

/** The most similar yarns that are available, each with how much of it replaces one skein. */
export function Substitutes({ product, isSoldOut }: { product: AlikeFragment; isSoldOut: boolean }) {
  const { substitutes } = product
  if (substitutes.length === 0) return null
  return (
    <Section aria-labelledby="substitutes" $first={isSoldOut}>
      <Title id="substitutes">{isSoldOut ? 'Sold out: yarns that knit like it' : 'Yarns that knit like it'}</Title>
      <Shelf>
        {substitutes.map(({ product: other, skeins, costsMore }) => (
          <PickItem key={other.id} product={other} sizes={SIZES} small>
            <Note>
              {skeins === 1 ? 'One for one' : `${counted(skeins)} for one`}, <CostDifference cents={costsMore} />
            </Note>
          </PickItem>
        ))}
      </Shelf>
    </Section>
  )
}

/** What a yarn or a pattern is bought with. */
export function GoesWith({ product }: { product: AlikeFragment }) {
  const { goesWith } = product
  if (goesWith.length === 0) return null
  return (
    <section aria-labelledby="goes-with">
      <Title id="goes-with">Goes with it</Title>
      <Shelf>
        {goesWith.map(tool => (
          <PickItem key={tool.id} product={tool} sizes={SIZES} small>
            <Note>{tool.category}</Note>
          </PickItem>
        ))}
      </Shelf>
    </section>
  )
}

const Section = styled.section<{ $first: boolean }>`
  margin-top: ${({ $first }) => ($first ? space[5] : 0)};
`
const Title = styled.h2`
  margin-bottom: ${space[4]};
`
const Shelf = styled.ul`
  display: grid;
  grid-template-columns: ${upTo(2, '8rem')};
  gap: 0 ${space[4]};
  padding: 0;
  list-style: none;
  ${from.tablet} {
    grid-template-columns: repeat(4, minmax(0, 1fr));
  }
  ${from.desktop} {
    grid-template-columns: repeat(6, minmax(0, 1fr));
    column-gap: ${space[5]};
  }
`
const Note = styled.p`
  font-size: ${size.sm};
  line-height: 1.35;
  color: ${color.textQuiet};
`
