import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useState,
} from 'react'
import { useSuspenseQuery } from '@apollo/client/react'
import { styled } from 'styled-components'
import { type Cents, formatCents } from '#schema/rules/money'
import { canShipFree } from '#schema/rules/pricing'
import { ShopDocument } from '../app/Shop.gql.ts'
import { useOffer } from '../newsletter/offer.ts'
import { paths } from '../paths.ts'
import { color, from, measure, size, space } from '../theme/tokens.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Kept } from '../ui/Kept.tsx'
import { Link } from '../ui/Link.tsx'
import { ChevronLeftIcon, ChevronRightIcon, PauseIcon, PlayIcon } from '../ui/page-icons.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Picture } from '../ui/Picture.tsx'
import { useStillness, useTrack } from './use-track.ts'

const SLIDES = 3

interface Slide {
  title: string
  text: string
  action: ReactNode
}

function shippingSlide(freeShippingFrom: Cents) {
  if (!canShipFree({ freeShippingFrom }))
    return {
      title: 'Wound, wrapped and on its way',
      text: 'A sweater’s worth or a single skein: we pack it as we would our own.',
    }
  const from = `orders of ${formatCents(freeShippingFrom).replace('.00', '')} and over`
  return {
    title: `Free shipping on ${freeShippingFrom > 0 ? from : 'every order'}`,
    text: 'About a sweater’s worth. We wind it, wrap it and send it on its way, on us.',
  }
}

const slidesOf = (offer: string | null, freeShippingFrom: Cents): Slide[] => [
  {
    title: offer ? `${offer} your first armful` : 'News from the shelves',
    text: `Join the newsletter: new colourways, quiet restocks, and ${offer ? 'a little something off to begin with' : 'patterns worth your evenings'}.`,
    action: (
      <LinkButton as={Link} to={paths.newsletter()} preventScrollReset>
        {offer ? `Sign up for ${offer}` : 'Sign me up'}
      </LinkButton>
    ),
  },
  {
    ...shippingSlide(freeShippingFrom),
    action: (
      <LinkButton as="a" href="#shelves">
        Browse the shelves
      </LinkButton>
    ),
  },
  {
    title: 'The yarns our knitters rate best',
    text: 'Tried, washed, worn and reviewed by the people who knitted with them.',
    action: (
      <LinkButton as={Link} to={paths.topRated()}>
        See the top-rated picks
      </LinkButton>
    ),
  },
]

const PER_SLIDE = 3

/** SPEC §9. */
const INTERVAL_MS = 5000

interface CarouselProps {
  /** Pictures of the newest yarns. */
  newest: string[]
  /** Pictures of the best rated products. */
  best: string[]
}

/**
 * Three messages from the shop, among its yarn. SPEC §1. The slides lie side by side in a box that
 * scrolls and snaps, so swiping is the browser's own; this only turns them every five seconds and on demand.
 */
export function Carousel({ newest, best }: CarouselProps) {
  const { freeShippingFrom } = useSuspenseQuery(ShopDocument).data.shop.pricingPolicy
  const offer = useOffer()
  const { track, shown, paused, setPaused, turnBy, holders } = useTurning(SLIDES)
  const turn = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    // A link on the slide that leaves cannot keep the focus.
    if (track.current?.contains(document.activeElement)) track.current.focus({ preventScroll: true })
    turnBy(event.key === 'ArrowLeft' ? -1 : 1)
  }
  // The last one speaks of the best rated.
  const shelves = [newest.slice(0, PER_SLIDE), newest.slice(PER_SLIDE, 2 * PER_SLIDE), best.slice(0, PER_SLIDE)]

  return (
    <Kept
      as={Region}
      aria-roledescription="carousel"
      aria-label="From the shop"
      onKeyDown={turn}
      {...holders}
      of={Inside}
      facts={{ offer, freeShippingFrom, shelves, track, shown, paused, setPaused, turnBy }}
    />
  )
}

interface InsideProps extends Omit<ReturnType<typeof useTurning>, 'holders'> {
  offer: string | null
  freeShippingFrom: Cents
  /** The pictures of each slide. */
  shelves: string[][]
}

function Inside({ offer, freeShippingFrom, shelves, track, shown, paused, setPaused, turnBy }: InsideProps) {
  const slides = slidesOf(offer, freeShippingFrom)
  return (
    <>
      <Track ref={track} tabIndex={-1} aria-live={paused ? 'polite' : 'off'}>
        {slides.map(({ title, text, action }, index) => (
          <Panel
            key={title}
            role="group"
            aria-roledescription="slide"
            aria-label={`${index + 1} of ${SLIDES}`}
            inert={index !== shown}
          >
            <Words>
              <h2>{title}</h2>
              <p>{text}</p>
              {action}
            </Words>
            <Shelf>
              {shelves[index]?.map(picture => (
                <Picture
                  key={picture}
                  src={picture}
                  alt=""
                  sizes="(min-width: 80rem) 350px, (min-width: 60rem) 27vw, 40vw"
                  priority={index === 0 ? 'high' : undefined}
                />
              ))}
            </Shelf>
          </Panel>
        ))}
      </Track>
      <Controls>
        <IconButton size="sm" label="Previous message" onClick={() => turnBy(-1)}>
          <ChevronLeftIcon size={20} />
        </IconButton>
        <Dots aria-hidden="true">
          {slides.map(({ title }, index) => (
            <li key={title} data-shown={index === shown || undefined} />
          ))}
        </Dots>
        <IconButton size="sm" label="Next message" onClick={() => turnBy(1)}>
          <ChevronRightIcon size={20} />
        </IconButton>
        <IconButton size="sm" label={paused ? 'Play' : 'Pause'} onClick={() => setPaused(!paused)}>
          {paused ? <PlayIcon size={18} /> : <PauseIcon size={18} />}
        </IconButton>
      </Controls>
    </>
  )
}

/** Which slide is shown. Does not turn while pointed at, focused or paused, nor for people who ask for less motion. */
function useTurning(count: number) {
  const { track, shown, turnTo, turnBy } = useTrack<HTMLDivElement>(count)
  const still = useStillness()
  const [choice, setPaused] = useState<boolean | null>(null)
  const paused = choice ?? still
  const [held, setHeld] = useState(false)

  const turn = useEffectEvent(turnTo)
  // Each slide has its whole time, however often the page around it is drawn again.
  useEffect(() => {
    if (paused || held) return
    const timer = setTimeout(() => turn(shown + 1), INTERVAL_MS)
    return () => clearTimeout(timer)
  }, [paused, held, shown])

  const holders = {
    onPointerEnter: (event: PointerEvent) => event.pointerType === 'mouse' && setHeld(true),
    onPointerLeave: () => setHeld(false),
    onFocus: () => setHeld(true),
    onBlur: (event: FocusEvent) => !event.currentTarget.contains(event.relatedTarget) && setHeld(false),
  }
  return { track, shown, paused, setPaused, turnBy, holders }
}

const Region = styled.section`
  position: relative;
`
const Track = styled.div`
  display: flex;
  margin: -${space[1]};
  overflow-x: auto;
  overscroll-behavior-x: contain;
  scroll-snap-type: x mandatory;
  scrollbar-width: none;
  &::-webkit-scrollbar {
    display: none;
  }
`
const Panel = styled.div`
  flex: 0 0 100%;
  scroll-snap-align: start;
  scroll-snap-stop: always;
  min-width: 0;
  display: grid;
  align-items: center;
  gap: ${space[4]};
  /* Room for focus rings, which the scrolling box would cut. */
  padding: ${space[1]};
  ${from.desktop} {
    grid-template-columns: 5fr 7fr;
    gap: ${space[6]};
    min-height: 25rem;
  }
`
const Words = styled.div`
  display: grid;
  justify-items: start;
  align-content: center;
  gap: ${space[4]};
  h2 {
    font-size: ${size.display};
    line-height: 1.02;
    letter-spacing: -0.025em;
  }
  p {
    max-width: ${measure.narrow};
    font-size: ${size.lg};
    line-height: 1.45;
    color: ${color.textQuiet};
  }
`
const Shelf = styled.div`
  display: grid;
  grid-template-columns: repeat(3, 1fr);
  align-items: center;
  padding-bottom: 5%;
  > * {
    margin-inline: -14%;
  }
  > :first-child {
    margin-left: 0;
  }
  > :last-child {
    margin-right: 0;
  }
  > :nth-child(2) {
    translate: 0 12%;
  }
`
const Controls = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${space[1]};
  margin: ${space[3]} 0 0 -${space[2]};
`
const Dots = styled.ul`
  display: flex;
  gap: ${space[2]};
  padding: 0 ${space[1]};
  list-style: none;
  li {
    width: 1.5rem;
    height: 2px;
    background: ${color.line};
    @media (forced-colors: active) {
      background: GrayText;
    }
  }
  li[data-shown] {
    background: ${color.text};
  }
`
