import type { CartProductFragment } from '../cart/CartProduct.gql.ts'

/** A yarn with the fields that the cart asks for. */
export const merino: CartProductFragment = {
  __typename: 'Product',
  id: 'p1',
  name: 'Merino',
  image: '/images/p1.webp',
  description: '',
  weight: '100 g',
  length: '',
  gauge: '',
  knittingNeedle: '',
  crochetHook: '',
  recommendedCare: '',
  content: '',
  category: 'DK',
  price: 1000,
  compareAtPrice: null,
  countInStock: 5,
  expectedOn: null,
  isDownload: false,
  isGiftCard: false,
  reducedTax: false,
  lots: [],
  rating: 0,
  numReviews: 0,
}
