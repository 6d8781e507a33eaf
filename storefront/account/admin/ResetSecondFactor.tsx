import { useState } from 'react'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { notify } from '../../ui/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { Cluster } from '../../ui/Cluster.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { type AdminUserFragment, ResetSecondFactorDocument } from './Users.gql.ts'

/** For somebody who lost the authenticator app and the recovery codes. */
export function ResetSecondFactor({ user }: { user: AdminUserFragment }) {
  const [asking, setAsking] = useState(false)
  const [reset, { loading }] = useShopMutation(ResetSecondFactorDocument)
  const invalidate = useInvalidate()

  async function confirm() {
    const payload = await reset({ userId: user.id })
    setAsking(false)
    if (!payload) return
    invalidate('auditLog')
    notify.success('The second factor is off.')
  }

  return (
    <Cluster>
      <span>Signs in with a second factor.</span>
      <Button variant="quiet" onClick={() => setAsking(true)}>
        Take it off
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Take off the second factor?"
        message={`${user.name} will sign in with nothing but the password, is signed out everywhere, and is told by mail. Make sure that it is really them who asked.`}
        confirmLabel="Take it off"
        loading={loading}
        onConfirm={() => void confirm()}
      />
    </Cluster>
  )
}
