import { styled } from 'styled-components'
import { imageAddress } from '#schema/rules/image'
import { color, size } from '../theme/tokens.ts'

const WIDTHS = [160, 320, 480, 640, 960]

/** In the dark a pool of lamplight lies under the yarn; by day it is transparent. */
const Frame = styled.span`
  display: block;
  aspect-ratio: 1;
  background: radial-gradient(
    closest-side,
    ${color.lamp} 10%,
    color-mix(in srgb, ${color.lamp} 62%, transparent) 45%,
    color-mix(in srgb, ${color.lamp} 16%, transparent) 78%,
    transparent
  );
  img {
    width: 100%;
    height: 100%;
    object-fit: contain;
    font-size: ${size.sm};
    color: ${color.textQuiet};
  }
`

interface PictureProps {
  /** As the API gives it, or an old cart. Pictures on this host come in several widths; others are used as they are. */
  src: string
  alt: string
  /** How wide it is shown, as in the `sizes` attribute. */
  sizes: string
  /** In view at once: load it early. Everything else waits until it is near. */
  priority?: boolean
  className?: string
}

const at = (src: string, width: number) => `${src}${src.includes('?') ? '&' : '?'}w=${width}`

/** A square product picture on the ground of the page. */
export function Picture({ src: given, alt, sizes, priority, className }: PictureProps) {
  const src = imageAddress(given)
  const sized = src.startsWith('/')
  return (
    <Frame className={className}>
      <img
        src={(sized ? at(src, 640) : src) || undefined}
        srcSet={sized ? WIDTHS.map(width => `${at(src, width)} ${width}w`).join(', ') : undefined}
        sizes={sized ? sizes : undefined}
        width={640}
        height={640}
        alt={alt}
        loading={priority ? 'eager' : 'lazy'}
        fetchPriority={priority ? 'high' : undefined}
        decoding={priority ? 'sync' : 'async'}
      />
    </Frame>
  )
}
