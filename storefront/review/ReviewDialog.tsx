import { lazy, useState } from 'react'
import { Controller, useController, useForm } from 'react-hook-form'
import { styled } from 'styled-components'
import { limits, RATING_LABELS } from '#schema/rules/limits'
import { useUnsavedWork } from '../account/interruption.ts'
import { showRefusals } from '../data/forms.ts'
import { useShape } from '../data/use-shape.ts'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { space } from '../theme/tokens.ts'
import { notify } from '../ui/toast.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Part } from '../ui/Part.tsx'
import { RatingInput } from '../ui/RatingInput.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { CreateReviewDocument } from './CreateReview.gql.ts'
import { HowItKnitted } from './HowItKnitted.tsx'
import { BLANK, reviewShape, type ReviewInput } from './review-form.ts'

const ReviewPicturesField = lazy(() => import('./ReviewPicturesField.tsx'))

const UPLOADING = 'Your pictures are still on their way. Please wait a moment.'

interface ReviewDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  productId: string
  productName: string
}

export default function ReviewDialog({ open, onOpenChange, productId, productName }: ReviewDialogProps) {
  const form = useForm({ defaultValues: BLANK, resolver: useShape(reviewShape) })
  const { errors, isDirty } = form.formState
  // Before the others, so that it is the first to get the focus when something is wrong.
  const { field: rating } = useController({ control: form.control, name: 'rating' })
  const [isUploading, setIsUploading] = useState(false)
  useUnsavedWork(open && (isDirty || isUploading))
  const [createReview, { loading }] = useShopMutation(CreateReviewDocument)

  /** Cancelled or done: the next time it opens blank. */
  const close = () => {
    form.reset(BLANK)
    onOpenChange(false)
  }

  const submit = async (input: ReviewInput) => {
    if (loading) return
    if (isUploading) {
      form.setError('pictures', { message: UPLOADING }, { shouldFocus: true })
      return
    }
    const payload = await createReview(
      { productId, input },
      {
        onRefused: ({ userErrors }) =>
          showRefusals(
            form,
            // Pictures are one field.
            userErrors.map(error => ({ ...error, field: error.field?.slice(0, 1) ?? null })),
          ),
      },
    )
    if (!payload) return
    notify.success('Review submitted successfully.')
    close()
  }

  return (
    <Dialog
      open={open}
      onOpenChange={next => (next ? onOpenChange(true) : close())}
      title="Write a customer review"
      description={productName}
    >
      <Form noValidate onSubmit={event => void form.handleSubmit(submit)(event)}>
        <RatingInput {...rating} label="Rating" labels={RATING_LABELS} error={errors.rating?.message} />
        <TextArea
          {...form.register('comment')}
          label="Comment"
          required
          rows={5}
          maxLength={limits.comment}
          error={errors.comment?.message}
          placeholder="How did it knit up? How did it wash?"
        />
        <HowItKnitted register={form.register} formState={form.formState} />
        <Part fallback={<Skeleton $height="10.375rem" />}>
          <Controller
            control={form.control}
            name="pictures"
            render={({ field: { ref, value } }) => (
              <ReviewPicturesField
                ref={ref}
                pictures={value}
                onChange={change => {
                  form.setValue('pictures', change(form.getValues('pictures')), { shouldDirty: true })
                  form.clearErrors('pictures')
                }}
                onBusy={setIsUploading}
                error={errors.pictures?.message}
              />
            )}
          />
        </Part>
        <Buttons>
          <Button variant="quiet" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={loading}>
            Submit
          </Button>
        </Buttons>
      </Form>
    </Dialog>
  )
}

const Form = styled.form`
  display: grid;
  gap: ${space[5]};
`
const Buttons = styled.div`
  display: flex;
  justify-content: flex-end;
  gap: ${space[3]};
`
