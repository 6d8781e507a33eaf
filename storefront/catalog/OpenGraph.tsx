import { useContext } from 'react'
import { imageAddress } from '#schema/rules/image'
import { OriginContext } from '../app/Head.tsx'

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

export function absolute(origin: string, image: string): string {
  const address = imageAddress(image)
  return address.startsWith('/') ? origin + address : address
}
