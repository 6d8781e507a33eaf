import { lazy, useRef, useState } from 'react'
import { styled } from 'styled-components'
import { color, radius, space } from '../theme/tokens.ts'
import { Part } from '../ui/Part.tsx'
import { Picture } from '../ui/Picture.tsx'
import { TextButton } from '../ui/TextButton.tsx'
import type { ReviewItemFragment } from './ReviewItem.gql.ts'

// The zoom is only fetched when somebody wants to look closer.
const PictureZoom = lazy(() => import('../catalog/PictureZoom.tsx'))

interface ReviewPicturesProps {
  /** Who wrote the review. */
  by: string
  pictures: ReviewItemFragment['pictures']
  /** Given to people who may take a picture out. */
  onRemove?: (image: string) => void
}

/** What a reviewer has knitted; each can be enlarged. */
export function ReviewPictures({ by, pictures, onRemove }: ReviewPicturesProps) {
  const [enlarged, setEnlarged] = useState<number | null>(null)
  const list = useRef<HTMLUListElement>(null)
  if (pictures.length === 0) return null
  const described = pictures.map(({ alt, ...picture }, place) => ({
    ...picture,
    alt: alt || `Picture ${place + 1} of the review by ${by}`,
  }))
  return (
    <>
      <Pictures ref={list}>
        {described.map(({ image, alt }, place) => (
          <li key={image}>
            <Thumb type="button" aria-label={`Enlarge: ${alt}`} onClick={() => setEnlarged(place)}>
              <Picture src={image} alt="" sizes="96px" />
            </Thumb>
            {onRemove && (
              <TextButton aria-label={`Remove: ${alt}`} onClick={() => onRemove(image)}>
                Remove …
              </TextButton>
            )}
          </li>
        ))}
      </Pictures>
      {enlarged !== null && (
        <Part>
          <PictureZoom
            name={`the review by ${by}`}
            pictures={described}
            start={enlarged}
            onLeave={place => list.current?.children[place]?.querySelector('button')?.focus()}
            onClosed={() => setEnlarged(null)}
          />
        </Part>
      )}
    </>
  )
}

const Pictures = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: ${space[2]};
  margin-top: ${space[3]};
  padding: 0;
  list-style: none;
  li {
    display: grid;
    justify-items: start;
    gap: ${space[1]};
  }
`
const Thumb = styled.button`
  display: block;
  width: 6rem;
  padding: 0;
  border: 1px solid ${color.line};
  border-radius: ${radius.md};
  overflow: hidden;
  background: none;
  cursor: zoom-in;
  &:hover {
    border-color: ${color.lineStrong};
  }
  img {
    object-fit: cover;
  }
`
