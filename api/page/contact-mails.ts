import type { EntityManager } from '@mikro-orm/postgresql'
import { User } from '../account/user.entity.ts'
import type { MailAbout } from '../mail/mail.entity.ts'
import { writeLetter, type Letter, type Shop, type ShopContact, type Templates } from '../mail/template.ts'

declare module '../mail/mail.entity.ts' {
  interface MailAbout {
    /** From the form on the contact page, to the owner. */
    CONTACT_MESSAGE: { name: string; email: string; message: string }
  }
}

/** Where messages go: the shop's own address, or that of its first administrator. Null without either. */
export async function ownersAddress(em: EntityManager, { email }: ShopContact): Promise<string | null> {
  if (email) return email
  const owner = await em.findOne(User, { isAdmin: true, closedAt: null }, { orderBy: { createdAt: 'asc', id: 'asc' } })
  return owner?.email ?? null
}

async function writeMessage(
  shop: Shop,
  { name, email, message }: MailAbout['CONTACT_MESSAGE'],
): Promise<Letter | null> {
  const recipient = await ownersAddress(shop.em, shop.contact)
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
