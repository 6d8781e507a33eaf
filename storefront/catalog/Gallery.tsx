import { type KeyboardEvent, lazy, useRef, useState } from 'react'
import { css, styled } from 'styled-components'
import { imageAddress, NO_PICTURE } from '#schema/rules/image'
import { color, control, from, motion, radius, size, space } from '../theme/tokens.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { ChevronLeftIcon, ChevronRightIcon, EnlargeIcon } from '../ui/page-icons.tsx'
import { Part } from '../ui/Part.tsx'
import { Picture } from '../ui/Picture.tsx'
import { useTrack } from './use-track.ts'

// The zoom is only fetched when somebody wants to look closer.
const PictureZoom = lazy(() => import('./PictureZoom.tsx'))

export interface GalleryPicture {
  image: string
  alt: string
  width?: number | null
  height?: number | null
}

interface GalleryProps {
  /** The product's name, for pictures that nobody described. */
  name: string
  pictures: GalleryPicture[]
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }

/**
 * The pictures of a product side by side in a box that scrolls and snaps. The tab key stops at one of them and at its
 * thumbnail; arrow keys go on from there. Each can be enlarged.
 */
export function Gallery({ name, pictures }: GalleryProps) {
  const count = pictures.length
  const { track, shown, target, turnTo, turnBy } = useTrack<HTMLUListElement>(count)
  const thumbs = useRef<HTMLUListElement>(null)
  const [enlarged, setEnlarged] = useState<number | null>(null)
  const described = pictures.map(({ alt, ...picture }, place) => ({
    ...picture,
    alt: alt || (place === 0 ? name : `${name}, picture ${place + 1}`),
    /** "picture 2 of 5", or what there is only one of. */
    place: count === 1 ? 'picture' : `picture ${place + 1} of ${count}`,
  }))

  const focusOn = (list: HTMLUListElement | null, place: number) =>
    list?.querySelectorAll('button')[place]?.focus({ preventScroll: true })

  function move(event: KeyboardEvent) {
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? count - 1 : target.current + (STEPS[event.key] ?? NaN)
    if (Number.isNaN(to) || count === 1) return
    event.preventDefault()
    turnTo(to)
    for (const list of [track.current, thumbs.current])
      if (list?.contains(document.activeElement)) focusOn(list, target.current)
  }

  function leave(place: number) {
    turnTo(place, 'instant')
    focusOn(track.current, place)
  }

  return (
    <Frame role="group" aria-label={`Pictures of ${name}`} onKeyDown={move}>
      <Track ref={track}>
        {described.map(({ image, alt, place: label }, place) => (
          <li key={image}>
            <Picture
              src={image}
              alt={alt}
              sizes="(min-width: 80rem) 660px, (min-width: 60rem) 48vw, (min-width: 40rem) 44vw, (min-resolution: 1.5dppx) 74vw, 92vw"
              priority={place === 0 ? 'high' : 'low'}
              large
            />
            {imageAddress(image) !== NO_PICTURE && (
              <Enlarge
                type="button"
                aria-label={`Enlarge ${label}: ${alt}`}
                tabIndex={place === shown ? undefined : -1}
                onClick={() => setEnlarged(place)}
              >
                <EnlargeIcon size={20} />
              </Enlarge>
            )}
          </li>
        ))}
      </Track>
      {count > 1 && (
        <>
          <TurnControls pictures={pictures} shown={shown} turnBy={turnBy} />
          <Thumbs ref={thumbs}>
            {described.map(({ image, alt, place: label }, place) => (
              <li key={image}>
                <button
                  type="button"
                  aria-label={`Show ${label}: ${alt}`}
                  aria-current={place === shown || undefined}
                  tabIndex={place === shown ? undefined : -1}
                  onClick={() => turnTo(place)}
                >
                  <Picture src={image} alt="" sizes="80px" />
                </button>
              </li>
            ))}
          </Thumbs>
        </>
      )}
      {enlarged !== null && (
        <Part>
          <PictureZoom
            pictures={described}
            name={name}
            start={enlarged}
            onLeave={leave}
            onClosed={() => setEnlarged(null)}
          />
        </Part>
      )}
    </Frame>
  )
}

interface TurnControlsProps {
  pictures: readonly GalleryPicture[]
  /** The place of the picture in sight. */
  shown: number
  turnBy: (places: number) => void
}

function TurnControls({ pictures, shown, turnBy }: TurnControlsProps) {
  return (
    <Controls>
      <IconButton size="sm" label="Previous picture" onClick={() => turnBy(-1)}>
        <ChevronLeftIcon size={20} />
      </IconButton>
      <Dots aria-hidden="true">
        {pictures.map(({ image }, place) => (
          <li key={image} data-shown={place === shown || undefined} />
        ))}
      </Dots>
      <p aria-live="polite">
        {shown + 1} of {pictures.length}
      </p>
      <IconButton size="sm" label="Next picture" onClick={() => turnBy(1)}>
        <ChevronRightIcon size={20} />
      </IconButton>
    </Controls>
  )
}

const list = css`
  padding: 0;
  list-style: none;
`
const Frame = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[3]};
`
const Track = styled.ul`
  ${list}
  display: flex;
  overflow-x: auto;
  overscroll-behavior-x: contain;
  scroll-snap-type: x mandatory;
  scrollbar-width: none;
  &::-webkit-scrollbar {
    display: none;
  }
  > li {
    position: relative;
    flex: 0 0 100%;
    min-width: 0;
    scroll-snap-align: start;
    scroll-snap-stop: always;
  }
`
/** The whole picture is the button; its icon is in the corner. */
const Enlarge = styled.button`
  position: absolute;
  inset: 0;
  display: grid;
  place-items: end;
  padding: ${space[3]};
  border: 0;
  border-radius: ${radius.md};
  background: none;
  color: ${color.text};
  cursor: zoom-in;
  /* The focus ring is drawn inside, since the scrolling box would cut it. */
  outline-offset: -3px;
  svg {
    box-sizing: content-box;
    padding: ${space[2]};
    border-radius: ${radius.pill};
    background: color-mix(in srgb, ${color.raised} 82%, transparent);
    transition: background ${motion.fast};
  }
  &:hover svg {
    background: ${color.raised};
  }
`
const Controls = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: center;
  gap: ${space[2]};
  p {
    min-width: 4rem;
    font-size: ${size.sm};
    font-variant-numeric: tabular-nums;
    text-align: center;
    color: ${color.textQuiet};
  }
  ${from.tablet} {
    display: none;
  }
`
const Dots = styled.ul`
  ${list}
  display: flex;
  gap: ${space[1]};
  li {
    width: 0.4375rem;
    height: 0.4375rem;
    border-radius: ${radius.pill};
    background: ${color.line};
  }
  li[data-shown] {
    background: ${color.text};
  }
`
const Thumbs = styled.ul`
  ${list}
  display: none;
  grid-template-columns: repeat(auto-fill, minmax(4rem, 1fr));
  gap: ${space[2]};
  ${from.tablet} {
    display: grid;
  }
  li {
    max-width: 5.5rem;
  }
  button {
    display: block;
    width: 100%;
    min-height: ${control.md};
    padding: ${space[1]};
    border: 1px solid ${color.line};
    border-radius: ${radius.md};
    background: none;
    transition: border-color ${motion.fast};
  }
  button:hover {
    border-color: ${color.lineStrong};
  }
  [aria-current] {
    border-color: ${color.text};
    box-shadow: inset 0 0 0 1px ${color.text};
  }
`
