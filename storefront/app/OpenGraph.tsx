import { useContext } from 'react'
import { imageAddress } from '#schema/rules/image'
import { ShopContext } from './Head.tsx'

interface OpenGraphProps {
  type: 'website' | 'product'
  title: string
  description: string
  path: string
  /** Address of the picture that other sites show for the page, 1200 × 630. */
  picture: string
}

/** How other sites show a link to the page. */
export function OpenGraph({ type, title, description, path, picture }: OpenGraphProps) {
  const { origin, name } = useContext(ShopContext)
  return (
    <>
      <meta property="og:site_name" content={name} />
      <meta property="og:type" content={type} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={origin + path} />
      <meta property="og:image" content={origin + picture} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={title} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}

export function absolute(origin: string, image: string): string {
  const address = imageAddress(image)
  return address.startsWith('/') ? origin + address : address
}
