import { useContext } from 'react'
import { ShopContext } from '../app/Head.tsx'
import { paths } from '../paths.ts'
import { JsonLd, ServedJsonLd } from './JsonLd.tsx'

/** The shop as search engines read it: who it is, and how it is searched. */
export const ShopJsonLd = import.meta.env.SSR ? WrittenJsonLd : ServedJsonLd

function WrittenJsonLd() {
  const { origin, name } = useContext(ShopContext)
  const shop = `${origin}/#shop`
  return (
    <JsonLd
      data={{
        '@graph': [
          {
            '@type': 'Organization',
            '@id': shop,
            name,
            url: origin + paths.home(),
            logo: `${origin}/icon-512.png`,
          },
          {
            '@type': 'WebSite',
            name,
            url: origin + paths.home(),
            publisher: { '@id': shop },
            potentialAction: {
              '@type': 'SearchAction',
              target: { '@type': 'EntryPoint', urlTemplate: `${origin}/search?keyword={keyword}` },
              'query-input': 'required name=keyword',
            },
          },
        ],
      }}
    />
  )
}
