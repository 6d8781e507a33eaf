/** What the sample shop has put together, by the slugs of its catalogue. */
export const collections = [
  {
    slug: 'gifts-for-knitters',
    name: 'Gifts for knitters',
    description: 'Small, useful and quickly wrapped: what we would like to be given ourselves.',
    products: [
      'project-bag-bottle',
      'ninepin-minis-hedgerow',
      'stitch-markers-enamel',
      'hook-set-jewel',
      'tape-measure-oxblood',
    ],
  },
  {
    slug: 'a-first-lace-shawl',
    name: 'A first lace shawl',
    description: 'Fine yarns that forgive, a needle that lets them glide, and what a shawl is stretched on.',
    products: [
      'flittermouse-sea-glass',
      'papermoth-rose-dust',
      'cobwren-moorit',
      'osier-steel-circular',
      'blocking-set-steel',
    ],
  },
  {
    slug: 'as-the-sheep-made-it',
    name: 'As the sheep made it',
    description: 'Undyed, in the colours they grew in.',
    products: ['six-sheep-minis', 'low-wick-jacob-pair', 'fellwright-undyed', 'great-loaf-undyed', 'cobwren-moorit'],
  },
] as const
