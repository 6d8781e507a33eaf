import { styled } from 'styled-components'
import { lengthWords, toolWords } from '#schema/rules/facts/units'
import { QuickAdd } from '../cart/QuickAdd.tsx'
import { paths } from '../paths.ts'
import { StashHeart } from '../stash/StashHeart.tsx'
import { color, font, from, motion, radius, size, space, weight } from '../theme/tokens.ts'
import { Kept } from '../ui/Kept.tsx'
import { Link } from '../ui/Link.tsx'
import { NeedleIcon } from '../ui/page-icons.tsx'
import { Measure } from '../ui/Measure.tsx'
import { Picture } from '../ui/Picture.tsx'
import { Price } from '../ui/Price.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Stars } from '../ui/Stars.tsx'
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx'
import { isCompared, typeset } from './facts.ts'
import { GroupDots } from './GroupDots.tsx'
import type { ProductCardFragment } from './ProductCard.gql.ts'
import { ProductName } from './ProductName.tsx'

interface ProductCardProps {
  product: ProductCardFragment
  priority?: 'high' | undefined
  onOpen?: () => void
}

/** Four rows that line up with the neighbours' (ProductGrid): picture, name, facts, price. */
export function ProductCard({ product, priority, onOpen }: ProductCardProps) {
  return <Kept as={Card} of={Inside} facts={{ product, priority, onOpen }} />
}

function Inside({ product, priority, onOpen }: ProductCardProps) {
  const { metres: length, needles: sizes } = product.facts
  const needles = isCompared(product) ? sizes : []
  const [metricNeedle, usNeedle] = [toolWords(needles, 'NEEDLE', 'METRIC'), toolWords(needles, 'NEEDLE', 'US')]
  return (
    <>
      <Shot
        src={product.image}
        alt=""
        sizes="(min-width: 80rem) 290px, (min-width: 60rem) 22vw, (min-width: 40rem) 30vw, 44vw"
        priority={priority}
      />
      <Name>
        <Link to={paths.product(product.id, product.name)} onClick={onOpen}>
          <ProductName name={product.name} />
        </Link>
      </Name>
      <Facts>
        <li>{product.category}</li>
        {length !== null && isCompared(product) && (
          <li>
            <VisuallyHidden>length </VisuallyHidden>
            <Measure metric={typeset(lengthWords(length, 'METRIC'))} us={typeset(lengthWords(length, 'US'))} />
          </li>
        )}
        {metricNeedle && (
          <li>
            <NeedleIcon size={14} strokeWidth={1.75} />
            <VisuallyHidden>needle </VisuallyHidden>
            <Measure metric={typeset(metricNeedle)} us={usNeedle ?? metricNeedle} />
          </li>
        )}
      </Facts>
      <Last>
        <Figures>
          <Cost cents={product.price} was={product.compareAtPrice} />
          {product.numReviews > 0 && <Stars rating={product.rating} count={product.numReviews} />}
          {product.countInStock === 0 ? <Stock>Out of Stock</Stock> : product.expectedOn && <Stock>Pre-order</Stock>}
          {product.group && <GroupDots group={product.group} />}
        </Figures>
        {product.countInStock > 0 && <Add id={product.id} name={product.name} />}
      </Last>
      <Keep productId={product.id} productName={product.name} />
    </>
  )
}

export function ProductCardSkeleton() {
  return (
    <Card>
      <Skeleton $square />
      <Skeleton $width="75%" $height="1.4em" />
      <Skeleton $width="60%" />
      <Skeleton $width="4em" $height="1.3em" />
    </Card>
  )
}

const Shot = styled(Picture)`
  margin-bottom: ${space[3]};
  img {
    transition: scale ${motion.slow};
  }
`
const Card = styled.article`
  position: relative;
  display: grid;
  grid-row: span 4;
  grid-template-rows: subgrid;
  min-width: 0;
  padding-bottom: ${space[6]};
  ${from.tablet} {
    padding-bottom: ${space[7]};
  }
  @media (hover: hover) {
    &:hover img {
      scale: 1.03;
    }
  }
`
const Name = styled.h2`
  font: ${weight.medium} ${size.lg} / 1.2 ${font.serif};
  overflow-wrap: anywhere;
  a {
    text-decoration: none;
  }
  > a {
    display: -webkit-box;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
  }
  /* The whole card is the link. */
  a::after {
    content: '';
    position: absolute;
    inset: 0;
  }
  a:focus-visible {
    outline: none;
    &::after {
      outline: 2px solid ${color.focus};
      outline-offset: 3px;
    }
  }
  ${Card}:hover & a {
    text-decoration: underline;
    text-decoration-thickness: 1px;
  }
`
/* Each fact has a dot before it; that of the first in a line lies outside the box and is clipped. */
const Facts = styled.ul`
  display: flex;
  flex-wrap: wrap;
  align-content: flex-start;
  margin: ${space[1]} 0 0 -0.9em;
  padding: 0;
  clip-path: inset(0 0 0 0.9em);
  list-style: none;
  font-size: ${size.xs};
  line-height: 1.4;
  color: ${color.textQuiet};
  ${from.tablet} {
    font-size: ${size.sm};
  }
  li {
    position: relative;
    display: inline-flex;
    align-items: center;
    gap: 0.25em;
    min-width: 0;
    padding-left: 0.9em;
    overflow-wrap: anywhere;
  }
  li::before {
    content: '·';
    position: absolute;
    left: 0.3em;
  }
`
const Last = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  align-items: start;
`
/** Above the link that the whole card is. */
const Add = styled(QuickAdd)`
  z-index: 1;
  margin: -${space[1]} -${space[2]} 0 0;
`
/** On the picture. */
const Keep = styled(StashHeart)`
  position: absolute;
  z-index: 1;
  top: ${space[2]};
  right: ${space[2]};
  border-radius: ${radius.pill};
  background: ${color.raised};
`
const Figures = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  align-content: flex-start;
  column-gap: ${space[3]};
  padding-top: ${space[1]};
`
const Cost = styled(Price)`
  font-size: ${size.lg};
  font-weight: ${weight.strong};
`
const Stock = styled.span`
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
