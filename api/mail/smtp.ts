import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import { nth, present } from '#schema/rules/present'
import type { Letter } from './template.ts'

/** The mail server. The only file that knows SMTP. */
export interface Smtp {
  /** Hands a letter over, always under the same id. False: the server will never take it. Throws when it may take it later. */
  send(id: string, letter: Letter): Promise<boolean>
  close(): void
}

/** `url` is of the form smtp://user:password@host:587 or smtps://host; `from` the address the shop writes from. */
export function connectSmtp({ url, from, log }: { url: string; from: string; log: Logger }): Smtp {
  const transport = createTransport({
    url,
    // A password goes over an encrypted connection or not at all.
    requireTLS: new URL(url).username !== '',
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    dnsTimeout: 10_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = nth(present(/@([^>\s]+)/.exec(from)), 1)
  return {
    async send(id, { recipient, subject, text, html, replyTo }) {
      try {
        await transport.sendMail({
          // As an object it is not parsed: an address cannot name a second one.
          to: { name: '', address: recipient },
          from,
          ...(replyTo && { replyTo: { name: '', address: replyTo } }),
          subject,
          text,
          html,
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
        return true
      } catch (error) {
        const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
        if (code !== 'EENVELOPE' || responseCode < 500) throw error
        log.warn({ mail: id, responseCode }, 'The mail server refuses a mail for good')
        return false
      }
    },
    close: () => transport.close(),
  }
}
