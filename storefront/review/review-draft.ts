import { useState } from 'react'
import { useUnsavedWork } from '../account/interruption.ts'
import { type Knitted, knittedErrors, NOT_TOLD, stitchesOf } from './HowItKnitted.tsx'
import type { TakenPicture } from './ReviewPicturesField.tsx'

/** A review as it is being written. */
interface ReviewDraft {
  /** 0 until stars are chosen. */
  rating: number
  comment: string
  knitted: Knitted
  pictures: TakenPicture[]
}

const BLANK: ReviewDraft = { rating: 0, comment: '', knitted: NOT_TOLD, pictures: [] }

/** In the order of the form: the first that is wrong gets the focus. */
export const REVIEW_FIELDS = ['rating', 'comment', 'needle', 'gauge', 'project', 'pictures'] as const
type ReviewField = (typeof REVIEW_FIELDS)[number]
export type ReviewErrors = { [F in ReviewField]?: string | undefined }

/** Whether closing would lose anything. */
const isBegun = ({ rating, comment, knitted, pictures }: ReviewDraft) =>
  rating > 0 || comment !== '' || Object.values(knitted).some(Boolean) || pictures.length > 0

/** What is written so far, and what is wrong with it; asks before it is lost while the dialog is open. */
export function useReviewDraft(isOpen: boolean) {
  const [draft, setDraft] = useState(BLANK)
  const [errors, setErrors] = useState<ReviewErrors>({})
  const [isUploading, setIsUploading] = useState(false)
  useUnsavedWork(isOpen && (isBegun(draft) || isUploading))
  return {
    draft,
    errors,
    setErrors,
    isUploading,
    setIsUploading,
    /** What was wrong with a field is forgotten when it changes. */
    edit(field: ReviewField, change: (before: ReviewDraft) => Partial<ReviewDraft>) {
      setDraft(before => ({ ...before, ...change(before) }))
      setErrors(before => ({ ...before, [field]: undefined }))
    },
    clear() {
      setDraft(BLANK)
      setErrors({})
    },
  }
}

/** The problems that keep it from being sent; `isUploading` while pictures are being sent. */
export const reviewErrors = ({ rating, comment, knitted }: ReviewDraft, isUploading: boolean): ReviewErrors => ({
  rating: rating ? undefined : 'Please choose one to five stars.',
  comment: comment.trim() ? undefined : 'Please tell us a little about it.',
  ...knittedErrors(knitted),
  pictures: isUploading ? 'Your pictures are still on their way. Please wait a moment.' : undefined,
})

/** As the API takes it. */
export const reviewInput = ({ rating, comment, knitted, pictures }: ReviewDraft) => ({
  ...knitted,
  rating,
  comment,
  gauge: stitchesOf(knitted),
  pictures,
})
