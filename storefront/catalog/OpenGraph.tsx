import { useContext } from 'react'
import { OriginContext } from '../head.tsx'

interface OpenGraphProps {
  type: 'website' | 'product'
  title: string
  description: string
  path: string
  /** A picture of the page, as the API gives it. */
  image?: string
}

/** What a link to the page looks like elsewhere. */
export function OpenGraph({ type, title, description, path, image }: OpenGraphProps) {
  const origin = useContext(OriginContext)
  return (
    <>
      <meta property="og:site_name" content="Skein" />
      <meta property="og:type" content={type} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={origin + path} />
      {image && <meta property="og:image" content={absolute(origin, image)} />}
      <meta name="twitter:card" content={image ? 'summary_large_image' : 'summary'} />
    </>
  )
}

export const absolute = (origin: string, image: string) => (image.startsWith('/') ? `${origin}${image}` : image)
