import { createContext, useContext } from 'react'

/** Scheme and host the shop is seen under, for addresses that must be absolute. */
export const OriginContext = createContext('')

interface HeadProps {
  title: string
  description?: string
  /** The one address of this page; left out for pages search engines should not list. */
  canonical?: string
}

/** What a page says about itself in the document's head. Every page has exactly one. */
export function Head({ title, description, canonical }: HeadProps) {
  const origin = useContext(OriginContext)
  return (
    <>
      <title>{title === 'Skein' ? title : `${title} – Skein`}</title>
      {description && <meta name="description" content={description} />}
      {canonical ? <link rel="canonical" href={origin + canonical} /> : <meta name="robots" content="noindex" />}
    </>
  )
}
