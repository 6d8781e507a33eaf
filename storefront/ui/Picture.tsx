import { useCallback, useState } from 'react'
import { styled } from 'styled-components'
import { imageAddress } from '#schema/rules/image'
import { color, font, size, space } from '../theme/tokens.ts'
import { SkeinIcon } from './icons.tsx'

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

/** Small pictures have room for the drawing alone. */
const Missing = styled.span`
  container-type: size;
  display: flex;
  flex-direction: column;
  align-items: center;
  justify-content: center;
  gap: ${space[2]};
  height: 100%;
  font: italic ${size.sm} / 1.2 ${font.serif};
  color: ${color.textQuiet};
  svg {
    max-width: 50%;
    height: auto;
  }
  span {
    display: none;
  }
  @container (min-width: 10rem) {
    span {
      display: block;
    }
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

/** What a product has that nobody gave a picture. */
const NONE = '/images/sample.webp'

/** A square product picture on the ground of the page; a drawing that says so where there is none, or none that can be seen. */
export function Picture({ src: given, alt, sizes, priority, className }: PictureProps) {
  const src = imageAddress(given)
  const sized = src.startsWith('/')
  const [broken, setBroken] = useState<string | null>(null)
  // What failed before the page had its script told nobody.
  const look = useCallback(
    (image: HTMLImageElement | null) => {
      if (image?.complete && image.naturalWidth === 0) image.decode().catch(() => setBroken(src))
    },
    [src],
  )
  if (!src || src === NONE || src === broken)
    return (
      <Frame className={className}>
        <Missing
          role={alt ? 'img' : undefined}
          aria-label={alt ? `${alt}: no picture yet` : undefined}
          aria-hidden={!alt}
        >
          <SkeinIcon size={64} strokeWidth={0.75} />
          <span>No picture yet</span>
        </Missing>
      </Frame>
    )
  return (
    <Frame className={className}>
      <img
        ref={look}
        src={sized ? at(src, 640) : src}
        onError={() => setBroken(src)}
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
