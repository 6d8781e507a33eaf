import { useQuery } from '@apollo/client/react'
import { useEffect, useRef, useState } from 'react'
import { styled } from 'styled-components'
import { Head } from '../app/Head.tsx'
import { RemoveBellDocument } from '../bell/Bell.gql.ts'
import { ProductGrid, ProductGridSkeleton } from '../catalog/ProductGrid.tsx'
import { messageOf } from '../data/errors.ts'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { paths } from '../paths.ts'
import { color, space } from '../theme/tokens.ts'
import { Cluster } from '../ui/Cluster.tsx'
import { Container } from '../ui/Container.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { HeartIcon } from '../ui/icons.tsx'
import { Link } from '../ui/Link.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Stack } from '../ui/Stack.tsx'
import { TextButton } from '../ui/TextButton.tsx'
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx'
import { type StashPageQuery, StashPageDocument } from './StashPage.gql.ts'
import { useStash } from './use-stash.ts'

type Item = StashPageQuery['stash'][number]

/** The products a signed-in person has saved. */
export default function StashPage() {
  const { data: current, previousData, error, refetch } = useQuery(StashPageDocument)
  const data = current ?? previousData
  return (
    <Container>
      <Head title="Your stash" />
      <Title tabIndex={-1}>Your stash</Title>
      {data ? (
        <>
          <Stash stash={data.stash} />
          <Bells bells={data.bells} />
        </>
      ) : error ? (
        <ErrorState onRetry={() => void refetch()}>{messageOf(error)}</ErrorState>
      ) : (
        <ProductGridSkeleton count={6} />
      )}
    </Container>
  )
}

function Stash({ stash }: { stash: Item[] }) {
  const products = stash.flatMap(({ product }) => product ?? [])
  const gone = stash.filter(({ product }) => !product)
  return (
    <>
      <TakenOut stash={stash} />
      {stash.length === 0 && (
        <EmptyState
          icon={<HeartIcon size={40} strokeWidth={1} />}
          title="Nothing in your stash yet"
          action={
            <Cluster>
              <LinkButton as={Link} to={paths.home()}>
                Look for yarn
              </LinkButton>
              <LinkButton as={Link} to={paths.topRated()} $variant="quiet">
                See what others like best
              </LinkButton>
            </Cluster>
          }
        >
          <p>Press the heart on a product, and it waits for you here.</p>
        </EmptyState>
      )}
      {products.length > 0 && <ProductGrid products={products} eager={6} />}
      {gone.length > 0 && <NotOnSale items={gone} />}
    </>
  )
}

function NotOnSale({ items }: { items: Item[] }) {
  const { take } = useStash()
  return (
    <section aria-labelledby="not-on-sale">
      <h2 id="not-on-sale">Not on sale any more</h2>
      <Lines>
        {items.map(({ id, productId, name, isDiscontinued }) => (
          <li key={id}>
            <span>
              {isDiscontinued ? <Link to={paths.product(productId, name)}>{name}</Link> : name}
              <small>{isDiscontinued ? 'No longer sold' : 'Not on sale at the moment'}</small>
            </span>
            <TextButton onClick={() => void take(productId)}>
              Take out<VisuallyHidden> {name}</VisuallyHidden>
            </TextButton>
          </li>
        ))}
      </Lines>
    </section>
  )
}

/** Products that are sold out; a letter says when one is back in stock. */
function Bells({ bells }: { bells: StashPageQuery['bells'] }) {
  const [remove] = useShopMutation(RemoveBellDocument)
  const shown = bells.flatMap(({ id, lot, product }) => (product ? [{ id, lot, product }] : []))
  if (shown.length === 0) return null
  return (
    <section aria-labelledby="bells">
      <h2 id="bells">We will tell you when these are back</h2>
      <Lines>
        {shown.map(({ id, lot, product: { id: productId, name } }) => (
          <li key={id}>
            <span>
              <Link to={lot === null ? paths.product(productId, name) : paths.lot(productId, name, lot)}>{name}</Link>
              {lot !== null && <small>Lot {lot}</small>}
            </span>
            <TextButton onClick={() => void remove({ productId, lot })}>
              Take it back
              <VisuallyHidden>
                : {name}
                {lot !== null && `, lot ${lot}`}
              </VisuallyHidden>
            </TextButton>
          </li>
        ))}
      </Lines>
    </section>
  )
}

/** Products taken out since the page was opened, each with a way to put it back. */
function TakenOut({ stash }: { stash: Item[] }) {
  const [seen, setSeen] = useState(stash)
  const isIn = (list: Item[], { productId }: Item) => list.some(item => item.productId === productId)
  const fresh = stash.filter(item => !isIn(seen, item))
  if (fresh.length > 0) setSeen([...seen, ...fresh])
  const out = seen.filter(item => item.product && !isIn(stash, item))
  const newest = useRef<HTMLButtonElement>(null)
  const { put } = useStash()
  // The heart that was pressed is gone with its card.
  useEffect(() => {
    if (out.length > 0) newest.current?.focus()
  }, [out.length])

  return (
    <Stack>
      {out.map(({ productId, name }, index) => (
        <Notice
          key={productId}
          action={
            <TextButton ref={index === out.length - 1 ? newest : undefined} onClick={() => void put(productId)}>
              Undo<VisuallyHidden> for {name}</VisuallyHidden>
            </TextButton>
          }
        >
          “{name}” is out of your stash.
        </Notice>
      ))}
    </Stack>
  )
}

const Title = styled.h1`
  margin-block: ${space[5]};
`
const Lines = styled.ul`
  margin: ${space[4]} 0 ${space[6]};
  padding: 0;
  list-style: none;
  li {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    justify-content: space-between;
    gap: ${space[2]} ${space[5]};
    padding-block: ${space[3]};
    border-top: 1px solid ${color.line};
  }
  small {
    display: block;
    color: ${color.textQuiet};
  }
`
