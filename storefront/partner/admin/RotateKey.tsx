import { useId, useState } from 'react'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
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
  const form = useId()
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
    <Dialog
      alert
      open
      onOpenChange={next => !next && onClose()}
      title={`A new secret for ${apiKey.name}`}
      description="Programs are changed to it one by one, while the one before goes on working."
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={form} loading={loading}>
            Make the secret
          </Button>
        </>
      }
    >
      <form
        id={form}
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
    </Dialog>
  ) : (
    <SecretDialog made={{ name: apiKey.name, scopes: apiKey.scopes, secret }} onClose={onClose} />
  )
}
