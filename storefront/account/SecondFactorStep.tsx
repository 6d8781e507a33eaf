import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { showRefusals } from '../data/forms.ts'
import type { OnRefused } from '../data/use-shop-mutation.ts'
import { Button } from '../ui/Button.tsx'
import { Stack } from '../ui/Stack.tsx'
import { TextButton } from '../ui/TextButton.tsx'
import { TextField } from '../ui/TextField.tsx'
import { Aside } from './AccountFrame.tsx'

interface SecondFactorStepProps {
  /** Signs in with the code. */
  send: (code: string, onRefused: OnRefused) => Promise<void>
  /** Left out where there is nothing to go back to. */
  onBack?: () => void
}

/** The step after the password, for accounts with a second factor. */
export function SecondFactorStep({ send, onBack }: SecondFactorStepProps) {
  const [recovering, setRecovering] = useState(false)
  const form = useForm({ defaultValues: { code: '' } })
  const { errors, isSubmitting } = form.formState
  const { setFocus } = form

  // Focuses the first field, and the one that replaces it.
  const field = recovering ? 'recovery' : 'app'
  useEffect(() => {
    if (field) setFocus('code')
  }, [field, setFocus])

  async function submit({ code }: { code: string }) {
    await send(code, ({ userErrors }) => showRefusals(form, userErrors))
  }

  function choose(wanted: boolean) {
    form.reset({ code: '' })
    setRecovering(wanted)
  }

  return (
    <>
      <Stack as="form" method="post" noValidate onSubmit={form.handleSubmit(submit)}>
        {recovering ? (
          <TextField
            {...form.register('code', { required: 'Please enter a recovery code.' })}
            key="recovery"
            label="Recovery code"
            required
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={40}
            hint="One of the ten you kept when you set it up. Each works once."
            error={errors.code?.message}
          />
        ) : (
          <TextField
            {...form.register('code', { required: 'Please enter the code.' })}
            key="app"
            label="Code"
            required
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={12}
            hint="The six figures your authenticator app shows for this shop."
            error={errors.code?.message}
          />
        )}
        <Button type="submit" wide loading={isSubmitting}>
          Sign In
        </Button>
      </Stack>
      <Aside>
        {recovering ? (
          <TextButton onClick={() => choose(false)}>Use a code from the app</TextButton>
        ) : (
          <TextButton onClick={() => choose(true)}>I do not have my app: use a recovery code</TextButton>
        )}
      </Aside>
      {onBack && (
        <Aside>
          <TextButton onClick={onBack}>Back to the password</TextButton>
        </Aside>
      )}
    </>
  )
}
