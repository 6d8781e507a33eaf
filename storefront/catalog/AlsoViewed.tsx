import { useSuspenseQuery } from '@apollo/client/react'
import { styled } from 'styled-components'
import { from, space, upTo } from '../theme/tokens.ts'
import { Stars } from '../ui/Stars.tsx'
import { AlsoViewedDocument, type AlsoViewedQuery } from './AlsoViewed.gql.ts'
import { PickItem } from './PickItem.tsx'

/** The four best-rated products of the whole shop. */
export function AlsoViewed() {
  const { customersAlsoViewed } = useSuspenseQuery(AlsoViewedDocument).data
  if (customersAlsoViewed.length === 0) return null
  return (
    <section aria-labelledby="also-viewed">
      <Title id="also-viewed">Customers Also Viewed</Title>
      <PickRow picks={customersAlsoViewed} />
    </section>
  )
}

/** Four products at most, side by side. */
export function PickRow({ picks }: { picks: AlsoViewedQuery['customersAlsoViewed'] }) {
  return (
    <Row>
      {picks.map(pick => (
        <PickItem key={pick.id} product={pick} sizes="(min-width: 60rem) 22vw, 44vw">
          <Stars rating={pick.rating} figure />
        </PickItem>
      ))}
    </Row>
  )
}

const Title = styled.h2`
  margin-bottom: ${space[5]};
`
const Row = styled.ul`
  display: grid;
  grid-template-columns: ${upTo(2, '8rem')};
  gap: 0 ${space[4]};
  padding: 0;
  list-style: none;
  ${from.desktop} {
    grid-template-columns: repeat(4, minmax(0, 1fr));
    column-gap: ${space[6]};
  }
`
