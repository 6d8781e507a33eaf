import { useContext } from 'react'
import { ShopContext } from '../app/Head.tsx'
import { paths } from '../paths.ts'
import { JsonLd, ServedJsonLd } from './JsonLd.tsx'

interface ListJsonLdProps {
  name: string
  list: { total: number; items: readonly { id: string; name: string }[] }
}

/** The products on a page of a list, as search engines read them. */
export const ListJsonLd = import.meta.env.SSR ? WrittenJsonLd : ServedJsonLd

function WrittenJsonLd({ name, list: { total, items } }: ListJsonLdProps) {
  const { origin } = useContext(ShopContext)
  return (
    <JsonLd
      data={{
        '@type': 'ItemList',
        name,
        numberOfItems: total,
        itemListElement: items.map(({ id, name }, index) => ({
          '@type': 'ListItem',
          position: index + 1,
          name,
          url: origin + paths.product(id, name),
        })),
      }}
    />
  )
}
