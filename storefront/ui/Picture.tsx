import { use, useCallback, useState } from 'react'
import { preload } from 'react-dom'
import { styled } from 'styled-components'
import { imageAddress, NO_PICTURE, PICTURE_WIDTHS } from '#schema/rules/image'
import { color, font, size, space } from '../theme/tokens.ts'
import { SkeinIcon } from './icons.tsx'
import { PreloadContext } from './Kept.tsx'

/** No card is wider than this on any display. */
const CARD_WIDTHS = PICTURE_WIDTHS.filter(width => width <= 960)

/** The dark theme has a pool of lamplight behind the yarn; in the light theme it is transparent. */
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
  picture {
    display: contents;
  }
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
  /** High: in view at once, so loaded early. Others load when they are near; low ones also wait for the programs. */
  priority?: 'high' | 'low' | undefined
  /** Shown larger than on a card. */
  large?: boolean
  className?: string
}

const at = (src: string, width: number) => `${src}${src.includes('?') ? '&' : '?'}w=${width}`

const srcSet = (src: string, widths: readonly number[], as = '') =>
  widths.map(width => `${at(src, width)}${as} ${width}w`).join(', ')

/** Drawn in place of a picture that is missing or cannot be shown. */
export function NoPicture({ alt }: { alt: string }) {
  return (
    <Missing role={alt ? 'img' : undefined} aria-label={alt ? `${alt}: no picture yet` : undefined} aria-hidden={!alt}>
      <SkeinIcon size={64} strokeWidth={0.75} />
      <span>No picture yet</span>
    </Missing>
  )
}

/** A square product picture on the page's background; a drawing in its place if it is missing or cannot be shown. */
export function Picture({ src: given, alt, sizes, priority, large, className }: PictureProps) {
  const src = imageAddress(given)
  const sized = src.startsWith('/')
  const announce = import.meta.env.SSR ? use(PreloadContext) : preload
  const [broken, setBroken] = useState<string | null>(null)
  // The error event of a picture that failed before hydration went unheard, so this checks for it.
  const look = useCallback(
    (image: HTMLImageElement | null) => {
      if (image?.complete && image.naturalWidth === 0) image.decode().catch(() => setBroken(src))
    },
    [src],
  )
  if (!src || src === NO_PICTURE || src === broken)
    return (
      <Frame className={className}>
        <NoPicture alt={alt} />
      </Frame>
    )
  const widths = large ? PICTURE_WIDTHS : CARD_WIDTHS
  const avif = srcSet(src, widths, '&as=avif')
  const isFirst = priority === 'high'
  // Announced in the head, it is requested before the programs.
  if (isFirst && sized)
    announce(src, { as: 'image', type: 'image/avif', imageSrcSet: avif, imageSizes: sizes, fetchPriority: 'high' })
  return (
    <Frame className={className}>
      <picture>
        {sized && <source type="image/avif" srcSet={avif} sizes={sizes} />}
        <img
          ref={look}
          src={sized ? at(src, 640) : src}
          onError={() => setBroken(src)}
          srcSet={sized ? srcSet(src, widths) : undefined}
          sizes={sized ? sizes : undefined}
          width={640}
          height={640}
          alt={alt}
          loading={isFirst ? 'eager' : 'lazy'}
          fetchPriority={priority}
          decoding={isFirst ? 'sync' : 'async'}
        />
      </picture>
    </Frame>
  )
}
