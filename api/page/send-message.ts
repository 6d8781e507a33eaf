import { message } from '#schema/rules/shapes/message'
import { ownersAddress } from '../account/owners-address.ts'
import type { Context } from '../context.ts'
import type { MessageInput } from '../generated/types.ts'
import { refuse } from '../kernel/errors.ts'
import { check } from '../kernel/validation.ts'
import { queueMail } from '../mail/queue-mail.ts'

/** Writes a message to the owner down. Senders are counted by the address it came from and by the one they give. */
export async function sendMessage(
  { em, ip, mailTo, messageThrottle, contact }: Context,
  input: MessageInput,
): Promise<void> {
  const said = check(message, input)
  if (mailTo === 'nobody' || !(await ownersAddress(em, contact)))
    throw refuse('MAIL_OFF', 'This shop takes no messages at the moment.')
  await messageThrottle.admit({ ip, email: said.email })
  queueMail(em, 'CONTACT_MESSAGE', said)
  await em.flush()
}
