import { useSuspenseQuery } from '@apollo/client/react'
import { useContext } from 'react'
import type { Days } from '#schema/rules/delivery'
import { variantName } from '#schema/rules/variant-name'
import { ShopContext } from '../app/Head.tsx'
import { ShopDocument, type ShopQuery } from '../app/Shop.gql.ts'
import { toDecimal, shopCurrency } from '#schema/rules/money'
import { priceCart, type PricedLine } from '#schema/rules/pricing'
import { paths } from '../paths.ts'
import { JsonLd, ServedJsonLd } from './JsonLd.tsx'
import { absolute } from '../app/OpenGraph.tsx'
import type { ProductJsonLdFragment } from './ProductJsonLd.gql.ts'
import type { VariantFragment } from './Variant.gql.ts'

/** How many of the newest reviews are included; the page has them all. */
const REVIEWS = 5

/** The product, with the others of its group, as search engines read it. */
export const ProductJsonLd = import.meta.env.SSR ? WrittenJsonLd : ServedJsonLd

function WrittenJsonLd({ product }: { product: ProductJsonLdFragment }) {
  const { origin, name: shopName } = useContext(ShopContext)
  const { shop } = useSuspenseQuery(ShopDocument).data
  const { id, description, category, rating, numReviews, reviews, pictures, group } = product
  const image = pictures.map(picture => absolute(origin, picture.image))
  const ratings = numReviews > 0 && {
    aggregateRating: { '@type': 'AggregateRating', ratingValue: rating.toFixed(1), reviewCount: numReviews },
    review: reviews.items.slice(0, REVIEWS).map(({ name, rating, comment, createdAt }) => ({
      '@type': 'Review',
      author: { '@type': 'Person', name },
      datePublished: createdAt.slice(0, 10),
      reviewBody: comment,
      reviewRating: { '@type': 'Rating', ratingValue: rating },
    })),
  }
  // The maker is the group's, even if nothing else in the group is on sale. Without one, the shop's own name is used.
  const brand = { brand: { '@type': 'Brand', name: group?.maker || shopName } }
  if (!group || group.products.length < 2)
    return <JsonLd data={{ ...offered(origin, product, shop), image, description, category, ...brand, ...ratings }} />

  const differsIn = group.variesBy === 'COLOUR' ? 'color' : 'size'
  const variants = group.products.map(variant => ({
    ...offered(origin, variant, shop),
    [differsIn]: variantName(variant.name, group.name),
    ...(variant.id === id && { image, description, category, ...ratings }),
  }))
  return (
    <JsonLd
      data={{
        '@type': 'ProductGroup',
        name: group.name,
        description,
        productGroupID: group.id,
        ...brand,
        variesBy: [`https://schema.org/${differsIn}`],
        hasVariant: variants,
      }}
    />
  )
}

function offered(
  origin: string,
  {
    id,
    sku,
    name,
    image,
    price,
    weight,
    onSaleUntil,
    countInStock,
    expectedOn,
    isDownload,
  }: Omit<VariantFragment, '__typename'>,
  shop: ShopQuery['shop'],
) {
  return {
    '@type': 'Product',
    name,
    sku,
    productID: id,
    image: absolute(origin, image),
    offers: {
      '@type': 'Offer',
      url: origin + paths.product(id, name),
      price: toDecimal(price),
      priceCurrency: shopCurrency(),
      ...(onSaleUntil && { priceValidUntil: onSaleUntil }),
      itemCondition: 'https://schema.org/NewCondition',
      availability: `https://schema.org/${countInStock === 0 ? 'OutOfStock' : expectedOn === null ? 'InStock' : 'PreOrder'}`,
      ...(countInStock > 0 && expectedOn !== null && { availabilityStarts: expectedOn }),
      ...(!isDownload && { shippingDetails: shippingOf({ price, weight, quantity: 1 }, shop) }),
      hasMerchantReturnPolicy: returnsTo(shop),
    },
  }
}

/** What it costs to send one unit within the shop's own country, and how long that takes. */
function shippingOf(
  line: PricedLine,
  { pricingPolicy, delivery: { handling, domestic, countryCode } }: ShopQuery['shop'],
) {
  const days = ({ min, max }: Days) => ({
    '@type': 'QuantitativeValue',
    minValue: min,
    maxValue: max,
    unitCode: 'DAY',
  })
  return {
    '@type': 'OfferShippingDetails',
    shippingRate: {
      '@type': 'MonetaryAmount',
      value: toDecimal(priceCart([line], pricingPolicy).shippingPrice),
      currency: shopCurrency(),
    },
    shippingDestination: { '@type': 'DefinedRegion', addressCountry: countryCode },
    deliveryTime: { '@type': 'ShippingDeliveryTime', handlingTime: days(handling), transitTime: days(domestic) },
  }
}

function returnsTo({ returnDays, delivery: { countryCode } }: ShopQuery['shop']) {
  const policy = { '@type': 'MerchantReturnPolicy', applicableCountry: countryCode }
  const category = 'https://schema.org/MerchantReturn'
  return returnDays === 0
    ? { ...policy, returnPolicyCategory: `${category}NotPermitted` }
    : {
        ...policy,
        returnPolicyCategory: `${category}FiniteReturnWindow`,
        merchantReturnDays: returnDays,
        returnMethod: 'https://schema.org/ReturnByMail',
      }
}
