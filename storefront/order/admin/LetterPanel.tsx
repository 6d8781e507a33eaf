import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { styled } from 'styled-components'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { email } from '#schema/rules/shapes/text'
import { useUnsavedWork } from '../../account/interruption.ts'
import { Panel } from '../../admin/AdminList.tsx'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { showRefusals } from '../../data/forms.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { measure } from '../../theme/tokens.ts'
import { Button } from '../../ui/Button.tsx'
import { Stack } from '../../ui/Stack.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { notify } from '../../ui/toast.ts'
import { type OrderLetterFragment, ResendOrderLetterDocument } from './LetterPanel.gql.ts'

const shape = z.object({ email })

/** Sends the letter that leads to the order again, to a guest's right address where it was wrong. */
export function LetterPanel({ order: { id, user } }: { order: OrderLetterFragment }) {
  const form = useForm({ defaultValues: { email: user.email }, resolver: zodResolver(shape) })
  const { errors, isDirty, isSubmitting } = form.formState
  useUnsavedWork(isDirty)
  const [resend] = useShopMutation(ResendOrderLetterDocument)
  const invalidate = useInvalidate()

  async function submit(values: z.output<typeof shape>) {
    const payload = await resend(
      { orderId: id, email: user.isGuest ? values.email : null },
      { onRefused: ({ userErrors }) => showRefusals(form, userErrors) },
    )
    if (!payload) return
    invalidate('auditLog')
    form.reset(values)
    notify.success(`The letter goes to ${values.email}.`)
  }

  return (
    <Panel aria-labelledby="letter">
      <h2 id="letter">Letter</h2>
      <Form as="form" noValidate onSubmit={form.handleSubmit(submit)}>
        {user.isGuest ? (
          <TextField
            {...form.register('email')}
            label="Goes to"
            type="email"
            autoComplete="off"
            maxLength={limits.email}
            hint="Correct it where it is wrong. Links in letters from before open nothing then."
            error={errors.email?.message}
          />
        ) : (
          <p>Goes to {user.email}.</p>
        )}
        <div>
          <Button type="submit" size="sm" variant="quiet" loading={isSubmitting}>
            Send it again
          </Button>
        </div>
      </Form>
    </Panel>
  )
}

const Form = styled(Stack)`
  max-width: ${measure.text};
`
