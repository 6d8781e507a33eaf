import { useState } from 'react'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Select } from '../../ui/Select.tsx'
import { type AdminApiKeyFragment, RotateApiKeyDocument } from './ApiKeys.gql.ts'
import { SecretDialog } from './NewKey.tsx'

const OVERLAPS = [
  [24, 'a day'],
  [168, 'a week'],
  [1, 'an hour'],
  [0, 'not at all: it ends now'],
] as const

/** Gives a key a new secret, shown only once. The old one keeps working for a while. */
export function RotateKey({ apiKey, onClose }: { apiKey: AdminApiKeyFragment; onClose: () => void }) {
  const [rotate, { loading }] = useShopMutation(RotateApiKeyDocument)
  const invalidate = useInvalidate()
  const [overlapHours, setOverlapHours] = useState<number>(24)
  const [secret, setSecret] = useState<string | null>(null)

  async function submit() {
    if (loading) return
    const payload = await rotate({ id: apiKey.id, overlapHours })
    if (!payload?.secret) return
    invalidate('auditLog')
    setSecret(payload.secret)
  }

  return secret === null ? (
    <FormDialog
      alert
      open
      onClose={onClose}
      title={`A new secret for ${apiKey.name}`}
      description="Programs are changed to it one by one, while the one before goes on working."
      action="Make the secret"
      loading={loading}
    >
      {id => (
        <form
          id={id}
          onSubmit={event => {
            event.preventDefault()
            void submit()
          }}
        >
          <Select
            label="The secret before works for"
            value={overlapHours}
            onChange={event => setOverlapHours(Number(event.target.value))}
            hint={apiKey.formerUntil ? 'One that was changed before ends at once.' : undefined}
          >
            {OVERLAPS.map(([hours, words]) => (
              <option key={hours} value={hours}>
                {words}
              </option>
            ))}
          </Select>
        </form>
      )}
    </FormDialog>
  ) : (
    <SecretDialog made={{ name: apiKey.name, scopes: apiKey.scopes, secret }} onClose={onClose} />
  )
}
