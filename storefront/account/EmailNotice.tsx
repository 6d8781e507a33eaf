import { useMutation } from '@apollo/client/react'
import { useState } from 'react'
import { messageOf } from '../data/errors.ts'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { notify } from '../ui/toast.ts'
import { Notice } from '../ui/Notice.tsx'
import { TextButton } from '../ui/TextButton.tsx'
import {
  CancelEmailChangeDocument,
  type EmailNoticeFragment,
  RequestEmailConfirmationDocument,
} from './EmailNotice.gql.ts'

interface EmailNoticeProps {
  account: EmailNoticeFragment
  onChange: () => void
}

/** Says which address still has to be confirmed, if any, and what can be done about it. */
export default function EmailNotice({ account: { email, newEmail }, onChange }: EmailNoticeProps) {
  const [request, requesting] = useShopMutation(RequestEmailConfirmationDocument)
  const [cancel, canceling] = useMutation(CancelEmailChangeDocument)
  const [mailbox, setMailbox] = useState<string | null>(null)

  async function send() {
    const payload = await request({})
    if (!payload) return
    setMailbox(payload.mailbox)
    notify.success('The link is on its way.')
  }

  async function callOff() {
    try {
      await cancel()
      onChange()
    } catch (error) {
      notify.error(messageOf(error))
    }
  }

  return (
    <Notice
      action={
        <>
          <TextButton onClick={() => void send()} disabled={requesting.loading}>
            Send it again
          </TextButton>
          {newEmail && (
            <TextButton onClick={() => void callOff()} disabled={canceling.loading}>
              Keep {email}
            </TextButton>
          )}
          {mailbox && (
            <>
              {' '}
              <a href={mailbox}>Open the mailbox</a>
            </>
          )}
        </>
      }
    >
      {newEmail ? (
        <>
          Waiting for confirmation at <strong>{newEmail}</strong>: please use the link we sent there.
        </>
      ) : (
        <>
          Please confirm <strong>{email}</strong> by the link we sent there.
        </>
      )}
    </Notice>
  )
}
