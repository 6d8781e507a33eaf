import { useRef } from 'react'
import Lightbox, { type SlideImage } from 'yet-another-react-lightbox'
import Zoom from 'yet-another-react-lightbox/plugins/zoom'
import 'yet-another-react-lightbox/styles.css'
import { imageAddress, PICTURE_WIDTHS } from '#schema/rules/image'
import { color } from '../theme/tokens.ts'
import { depth } from '../theme/z-index.ts'
import { NoPicture } from '../ui/Picture.tsx'
import type { GalleryPicture } from './Gallery.tsx'

interface PictureZoomProps {
  name: string
  pictures: GalleryPicture[]
  /** The picture that is shown first. */
  start: number
  /** Called on closing with the picture shown last; the focus is back on the page by then. */
  onLeave: (place: number) => void
  onClosed: () => void
}

/** The pictures over the whole window: closer by pinch, double click, wheel or + and −; the next by swipe or arrow key. */
export default function PictureZoom({ name, pictures, start, onLeave, onClosed }: PictureZoomProps) {
  const place = useRef(start)
  const isOne = pictures.length === 1
  return (
    <Lightbox
      open
      close={onClosed}
      index={start}
      slides={pictures.map(slideOf)}
      plugins={[Zoom]}
      zoom={{ maxZoomPixelRatio: 3, scrollToZoom: true, doubleClickMaxStops: 1 }}
      carousel={{ finite: isOne, preload: 1 }}
      controller={{ closeOnPullDown: true }}
      animation={{ fade: 180, swipe: 240, zoom: 180 }}
      labels={{
        Lightbox: `Pictures of ${name}, enlarged`,
        'Photo gallery': `Pictures of ${name}`,
        Slide: 'picture',
        '{index} of {total}': 'Picture {index} of {total}',
        Previous: 'Previous picture',
        Next: 'Next picture',
      }}
      render={{
        iconError: () => <NoPicture alt={name} />,
        ...(isOne && { buttonPrev: () => null, buttonNext: () => null }),
      }}
      styles={{
        root: {
          '--yarl__portal_zindex': depth.dialog,
          '--yarl__color_backdrop': color.ground,
          '--yarl__color_button': color.text,
          '--yarl__color_button_active': color.text,
          '--yarl__color_button_disabled': color.textQuiet,
          '--yarl__button_filter': 'none',
          // Seen over pictures of every colour.
          '--yarl__button_background_color': `color-mix(in srgb, ${color.raised} 82%, transparent)`,
          '--yarl__navigation_button_padding': '0.75rem',
          '--yarl__icon_size': '1.75rem',
        },
      }}
      on={{
        view: ({ index }) => {
          place.current = index
        },
        exiting: () => onLeave(place.current),
      }}
    />
  )
}

/** Pictures on this host come in several widths, up to the one that is kept. */
function slideOf({ image, alt, width, height }: GalleryPicture): SlideImage {
  const src = imageAddress(image)
  if (!width || !height) return { src, alt }
  const widths = PICTURE_WIDTHS.filter(smaller => smaller >= 640 && smaller < width)
  const srcSet = widths.map(smaller => ({
    src: `${src}?w=${smaller}`,
    width: smaller,
    height: Math.round((height * smaller) / width),
  }))
  return { src, alt, width, height, srcSet: [...srcSet, { src, width, height }] }
}
