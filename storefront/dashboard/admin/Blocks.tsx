import type { ReactNode } from 'react'
import { styled } from 'styled-components'
import { dayWords } from '#schema/rules/day'
import { Panel } from '../../admin/AdminList.tsx'
import { RoomLink, useMayOpen } from '../../admin/RoomLink.tsx'
import { StockBadge } from '../../catalog/admin/StockBadge.tsx'
import { paths } from '../../paths.ts'
import { color, size, space } from '../../theme/tokens.ts'
import { formatDay } from '../../ui/dates.ts'
import { ArrowRightIcon } from '../../ui/icons.tsx'
import { Link } from '../../ui/Link.tsx'
import { Money } from '../../ui/Money.tsx'
import { Picture } from '../../ui/Picture.tsx'
import { Stars } from '../../ui/Stars.tsx'
import type {
  BestSellersFragment,
  ExpectedProductsFragment,
  LowStockFragment,
  NewestReviewsFragment,
  ToDeliverFragment,
} from './Blocks.gql.ts'
import { spans } from './buckets.ts'

/** A part of the dashboard, under a heading. */
export function Block({
  id,
  title,
  more,
  children,
}: {
  id: string
  title: string
  more?: { label: string; to: string }
  children: ReactNode
}) {
  const mayOpen = useMayOpen()
  return (
    <Panel aria-labelledby={id}>
      <BlockHead>
        <h2 id={id}>{title}</h2>
        {more && mayOpen(more.to) && (
          <Link to={more.to}>
            {more.label} <ArrowRightIcon size={14} />
          </Link>
        )}
      </BlockHead>
      {children}
    </Panel>
  )
}

export function ToDeliver({
  dashboard: { ordersToDeliver: orders, ordersToDeliverCount: count },
}: {
  dashboard: ToDeliverFragment
}) {
  return (
    <Block
      id="to-deliver"
      title="Orders to deliver"
      more={
        count > 0
          ? { label: `All ${count.toLocaleString('en-US')}`, to: `${paths.adminOrders()}?status=to-deliver` }
          : undefined
      }
    >
      {count === 0 ? (
        <Quiet>Every paid order is on its way.</Quiet>
      ) : (
        <Rows>
          {orders.map(order => (
            <li key={order.id}>
              <span>
                <Link to={paths.order(order.id)}>{order.reference}</Link> {order.user.name}
                {order.user.isGuest && <small>Guest, {order.user.email}</small>}
                {order.paidAt && <small>Paid on {formatDay(order.paidAt)}</small>}
              </span>
              <Money cents={order.totalPrice} />
            </li>
          ))}
        </Rows>
      )}
    </Block>
  )
}

export function LowStock({ dashboard: { lowStock } }: { dashboard: LowStockFragment }) {
  return (
    <Block
      id="low-stock"
      title="Low and out of stock"
      more={{ label: 'Out of stock', to: `${paths.adminProducts()}?status=out` }}
    >
      {lowStock.length === 0 ? (
        <Quiet>The shelves are full.</Quiet>
      ) : (
        <Rows>
          {lowStock.map(product => (
            <li key={product.id}>
              <Named product={product} />
              <Left>
                {product.countInStock > 0 && <span>{product.countInStock} left</span>}
                <StockBadge countInStock={product.countInStock} />
              </Left>
            </li>
          ))}
        </Rows>
      )}
    </Block>
  )
}

function Named({ product: { id, name, image } }: { product: { id: string; name: string; image: string } }) {
  return (
    <WithPicture>
      <Thumb src={image} alt="" sizes="40px" />
      <RoomLink to={paths.adminProduct(id)}>{name}</RoomLink>
    </WithPicture>
  )
}

/** Only where something is sold by pre-order. */
export function Expected({ dashboard: { expected } }: { dashboard: ExpectedProductsFragment }) {
  if (expected.length === 0) return null
  return (
    <Block
      id="expected"
      title="Expected deliveries"
      more={{ label: 'Pre-orders', to: `${paths.adminProducts()}?status=expected` }}
    >
      <Rows>
        {expected.map(product => (
          <li key={product.id}>
            <Named product={product} />
            <Left>
              {product.expectedOn && <span>{dayWords(product.expectedOn)}</span>}
              <StockBadge {...product} />
            </Left>
          </li>
        ))}
      </Rows>
    </Block>
  )
}

export function BestSellers({ dashboard: { bestSellers, period } }: { dashboard: BestSellersFragment }) {
  const most = Math.max(1, ...bestSellers.map(({ units }) => units))
  return (
    <Block id="best-sellers" title={`Best sellers, ${spans[period].last}`}>
      {bestSellers.length === 0 ? (
        <Quiet>Nothing was sold in this time.</Quiet>
      ) : (
        <Rows>
          {bestSellers.map(seller => (
            <li key={seller.productId}>
              <WithPicture>
                <Thumb src={seller.image} alt="" sizes="40px" />
                <span>
                  <RoomLink to={paths.adminProduct(seller.productId)}>{seller.name}</RoomLink>
                  <Share viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true">
                    <rect width={(seller.units / most) * 100} height="2" />
                  </Share>
                </span>
              </WithPicture>
              <Stock>
                <span>
                  {seller.units.toLocaleString('en-US')} {seller.units === 1 ? 'unit' : 'units'}
                </span>
                <Money cents={seller.revenue} />
              </Stock>
            </li>
          ))}
        </Rows>
      )}
    </Block>
  )
}

export function Reviews({ dashboard: { newestReviews } }: { dashboard: NewestReviewsFragment }) {
  return (
    <Block id="reviews" title="Newest reviews" more={{ label: 'All reviews', to: paths.adminReviews() }}>
      {newestReviews.length === 0 ? (
        <Quiet>No Reviews</Quiet>
      ) : (
        <Rows>
          {newestReviews.map(review => (
            <li key={review.id}>
              <ReviewText>
                <Stars rating={review.rating} />
                <p>{review.comment}</p>
                <small>
                  {review.name} on{' '}
                  {review.product ? (
                    <RoomLink to={paths.adminReviews(review.product.id)}>{review.product.name}</RoomLink>
                  ) : (
                    'a product of old'
                  )}
                  , {formatDay(review.createdAt)}
                </small>
              </ReviewText>
            </li>
          ))}
        </Rows>
      )}
    </Block>
  )
}

const BlockHead = styled.header`
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  justify-content: space-between;
  gap: ${space[4]};
  a {
    display: inline-flex;
    align-items: center;
    gap: ${space[1]};
    font-size: ${size.sm};
    white-space: nowrap;
  }
`
const Rows = styled.ul`
  padding: 0;
  list-style: none;
  font-size: ${size.sm};
  line-height: 1.35;
  overflow-wrap: anywhere;
  border-top: 1px solid ${color.lineStrong};
  > li {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: ${space[4]};
    min-height: 3.25rem;
    padding-block: ${space[1]};
    border-bottom: 1px solid ${color.line};
    > :last-child {
      text-align: right;
    }
    > :only-child {
      text-align: left;
    }
  }
  small {
    display: block;
    font-size: ${size.xs};
    color: ${color.textQuiet};
  }
`
const WithPicture = styled.span`
  display: flex;
  flex: 1;
  align-items: center;
  gap: ${space[3]};
  min-width: 0;
  > span:last-child {
    flex: 1;
    min-width: 0;
  }
`
const Thumb = styled(Picture)`
  flex: none;
  width: 2.5rem;
`
const Stock = styled.span`
  display: grid;
  justify-items: end;
  gap: 2px;
  font-size: ${size.xs};
  font-variant-numeric: lining-nums tabular-nums;
  color: ${color.textQuiet};
  white-space: nowrap;
`
const Left = styled.span`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: flex-end;
  gap: ${space[1]} ${space[3]};
  font-size: ${size.xs};
  font-variant-numeric: lining-nums tabular-nums;
  color: ${color.textQuiet};
`
const Share = styled.svg`
  width: 100%;
  max-width: 16rem;
  height: 3px;
  margin-top: ${space[1]};
  fill: ${color.lineStrong};
`
const ReviewText = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[1]};
  padding-block: ${space[2]};
  p {
    display: -webkit-box;
    overflow: hidden;
    -webkit-line-clamp: 2;
    -webkit-box-orient: vertical;
  }
`
const Quiet = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
