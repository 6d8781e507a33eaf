import { lazy, type ReactNode } from 'react'
import { styled } from 'styled-components'
import { gaugeWords, toolWords } from '#schema/rules/facts/units'
import { color, measure, size, space, weight } from '../theme/tokens.ts'
import { CheckIcon } from '../ui/icons.tsx'
import { Measure } from '../ui/Measure.tsx'
import { Part } from '../ui/Part.tsx'
import { Stars } from '../ui/Stars.tsx'
import type { ReviewItemFragment } from './ReviewItem.gql.ts'
import { ReviewPictures } from './ReviewPictures.tsx'

const HelpfulVote = lazy(() => import('./HelpfulVote.tsx'))

export function ReviewItem({
  review,
  vote,
  of,
}: {
  review: ReviewItemFragment
  /** Whether the reader found it helpful; undefined for readers who cannot vote. */
  vote: boolean | undefined
  /** Which product of the group it is about. */
  of: ReactNode
}) {
  const { name, rating, comment, createdAt, verifiedPurchase, needleMm, gauge, project, pictures, helpful, answer } =
    review
  return (
    <Item>
      <ItemHead>
        <strong>{name}</strong>
        <Stars rating={rating} />
      </ItemHead>
      <Meta>
        <time dateTime={createdAt}>{dates.format(new Date(createdAt))}</time>
        {of && <span>{of}</span>}
        {verifiedPurchase && (
          <span>
            <CheckIcon size={14} strokeWidth={2} /> Verified purchase
          </span>
        )}
      </Meta>
      <p>{comment}</p>
      {(project !== null || needleMm !== null || gauge !== null) && (
        <Meta>
          {project !== null && <span>{project}</span>}
          {(needleMm !== null || gauge !== null) && (
            <span>
              <Knitted needleMm={needleMm} gauge={gauge} />
            </span>
          )}
        </Meta>
      )}
      <ReviewPictures by={name} pictures={pictures} />
      {answer && (
        <Answer>
          <strong>The shop answers</strong>
          <p>{answer.text}</p>
        </Answer>
      )}
      {(helpful > 0 || vote !== undefined) && (
        <Meta>
          {helpful > 0 && <span>{helpful === 1 ? '1 found it helpful' : `${helpful} found it helpful`}</span>}
          {vote !== undefined && (
            <Part>
              <HelpfulVote review={review} isMarked={vote} />
            </Part>
          )}
        </Meta>
      )}
    </Item>
  )
}

// One time zone, so that server and browser write the same day.
const dates = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** "21 sts in 10 cm on 4.5 mm". */
export function Knitted({ needleMm, gauge }: { needleMm: number | null; gauge: number | null }) {
  const range = (value: number) => ({ from: value, to: value })
  const words = (units: 'METRIC' | 'US') =>
    [
      gauge !== null && gaugeWords(range(gauge), null, units),
      needleMm !== null && `on ${toolWords([range(needleMm)], 'NEEDLE', units)}`,
    ]
      .filter(Boolean)
      .join(' ')
  return <Measure metric={words('METRIC')} us={words('US')} />
}

const Item = styled.li`
  max-width: ${measure.text};
  > p {
    margin-top: ${space[2]};
    white-space: pre-line;
  }
`
const ItemHead = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0 ${space[3]};
  strong {
    font-weight: ${weight.strong};
  }
`
const Meta = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0 ${space[3]};
  font-size: ${size.sm};
  color: ${color.textQuiet};
  /* Children only: of the two units inside a measure, one is hidden. */
  > span {
    display: inline-flex;
    align-items: center;
    gap: 0.25em;
  }
`
const Answer = styled.blockquote`
  margin: ${space[3]} 0;
  padding-left: ${space[4]};
  border-left: 2px solid ${color.line};
  font-size: ${size.md};
  strong {
    font-weight: ${weight.strong};
  }
  p {
    white-space: pre-line;
  }
`
