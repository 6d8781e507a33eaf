import { useQuery } from '@apollo/client/react'
import { styled } from 'styled-components'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { ListResult } from '../../admin/AdminList.tsx'
import { moved, MoveButtons, OrderedList } from '../../admin/ordered.tsx'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { paths } from '../../paths.ts'
import { control, size } from '../../theme/tokens.ts'
import { Badge } from '../../ui/Badge.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Link } from '../../ui/Link.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { PlusIcon } from '../../ui/page-icons.tsx'
import { AdminCollectionsDocument, OrderCollectionsDocument } from './Collections.gql.ts'

export const trail = [{ label: 'Products', to: paths.adminProducts() }]

/** Collections in the order in which shoppers see them. */
export default function CollectionsPage() {
  const { data, error, loading, refetch } = useQuery(AdminCollectionsDocument)
  const collections = data?.adminCollections ?? []
  const [order, { loading: isMoving }] = useShopMutation(OrderCollectionsDocument)
  const ids = collections.map(({ id }) => id)
  const make = (
    <LinkButton as={Link} to={paths.adminCollections('new')} $size="sm">
      <PlusIcon size={18} />
      Add collection
    </LinkButton>
  )
  return (
    <AdminPage title="Collections" trail={trail} actions={collections.length > 0 && make}>
      <ListResult
        total={data && collections.length}
        error={error}
        loading={loading}
        onRetry={() => void refetch()}
        empty={
          <EmptyState title="No collections yet" action={make}>
            <p>
              Gifts for knitters, your own favourites, what goes into a workshop: products you put together by hand,
              with a page of their own and a place on the home page.
            </p>
          </EmptyState>
        }
      >
        <Rows aria-label="Collections, in their order" aria-busy={isMoving}>
          {collections.map(({ id, name, isPublished, total }, place) => (
            <li key={id}>
              <Link to={paths.adminCollections(id)}>{name}</Link>
              <Badge $variant={isPublished ? 'success' : 'plain'}>{isPublished ? 'Published' : 'Hidden'}</Badge>
              <small>{total === 1 ? '1 product on sale' : `${total} products on sale`}</small>
              <span>
                <MoveButtons
                  label={name}
                  place={place}
                  of={collections.length}
                  onMove={to => void order({ ids: moved(ids, place, to) })}
                />
              </span>
            </li>
          ))}
        </Rows>
      </ListResult>
    </AdminPage>
  )
}

const Rows = styled(OrderedList)`
  font-size: ${size.md};
  li {
    flex-wrap: wrap;
    min-height: ${control.lg};
  }
`
