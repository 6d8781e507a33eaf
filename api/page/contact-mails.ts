import { ownersAddress } from '../account/owners-address.ts'
import type { MailAbout } from '../mail/mail.entity.ts'
import { writeLetter, type Letter, type Shop, type Templates } from '../mail/template.ts'

declare module '../mail/mail.entity.ts' {
  interface MailAbout {
    /** From the form on the contact page, to the owner. */
    CONTACT_MESSAGE: { name: string; email: string; message: string }
  }
}

async function writeMessage(
  shop: Shop,
  { name, email, message }: MailAbout['CONTACT_MESSAGE'],
): Promise<Letter | null> {
  const recipient = await ownersAddress(shop.reader, shop.contact)
  if (!recipient) return null
  return {
    ...writeLetter(shop, {
      recipient,
      // What a stranger typed is in no header but the one that is answered to.
      subject: 'A message from your shop',
      name: '',
      parts: [`${name} (${email}) writes:`, ...message.split(/\n{2,}/), 'Your answer goes to them.'],
    }),
    replyTo: email,
  }
}

export const contactMails = { CONTACT_MESSAGE: writeMessage } satisfies Partial<Templates>
