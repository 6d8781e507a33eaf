import { z } from 'zod'
import { limits } from '../limits.ts'
import { GAUGE, readNeedle } from '../needle.ts'
import { text } from './text.ts'

const RATING_TOLD = 'Please choose one to five stars.'
const GAUGE_TOLD = `Please give ${GAUGE.min} to ${GAUGE.max} stitches in 10 cm.`

const needle = text('Needle', limits.productText).refine(
  typed => typed === '' || readNeedle(typed) !== null,
  'Please name one needle, such as 4.5 mm or US 7.',
)
const gauge = z.number(GAUGE_TOLD).min(GAUGE.min, GAUGE_TOLD).max(GAUGE.max, GAUGE_TOLD)
const project = text('Project', limits.project)
const alt = text('What a picture shows', limits.pictureAlt)

/** What a shopper says of a product. */
export const review = z.object({
  rating: z.number().int().min(limits.rating.min, RATING_TOLD).max(limits.rating.max, RATING_TOLD),
  comment: text('Comment', limits.comment).min(1, 'Please tell us a little about it.'),
  needle: needle.nullish(),
  gauge: gauge.nullish(),
  project: project.nullish(),
  pictures: z
    .array(z.object({ image: z.string(), alt: alt.nullish().transform(alt => alt ?? '') }))
    .max(limits.reviewPictures.each, `A review has at most ${limits.reviewPictures.each} pictures.`)
    .refine(
      list => new Set(list.map(({ image }) => image)).size === list.length,
      'One of the pictures is there twice. Please remove one of the two.',
    )
    .nullish(),
})

/** Stitches per 10 cm; null when nothing is typed, NaN when it is not a number. */
const readStitches = (typed: string) => (typed.trim() ? Number(typed.replace(',', '.')) : null)

/** A form that says it: no star at first, and the rest as typed. */
export const typedReview = review.extend({
  needle,
  gauge: z.string().transform(readStitches).pipe(gauge.nullable()),
  project,
  pictures: z.array(z.object({ image: z.string(), alt })),
})
