import { createContext, useContext } from 'react'

/**
 * What every page knows: scheme and host the shop is seen under, for addresses that must be absolute, what it is called, and what it
 * says of itself.
 */
export const ShopContext = createContext({ origin: '', name: '', tagline: '' })

export const useShopName = () => useContext(ShopContext).name

interface HeadProps {
  /** The shop's name alone when left out. */
  title?: string
  description?: string
  /** The one address of this page; left out for pages search engines should not list. */
  canonical?: string
}

/** What a page says about itself in the document's head. Every page has exactly one. */
export function Head({ title, description, canonical }: HeadProps) {
  const { origin, name } = useContext(ShopContext)
  return (
    <>
      <title>{title ? `${title} – ${name}` : name}</title>
      {description && <meta name="description" content={description} />}
      {canonical ? <link rel="canonical" href={origin + canonical} /> : <meta name="robots" content="noindex" />}
    </>
  )
}
