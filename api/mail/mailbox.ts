import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { MikroORM } from '@mikro-orm/postgresql'
import type { FastifyInstance } from 'fastify'
import { isId } from '../validation.ts'
import { escape } from './letter.ts'
import { Mail } from './mail.entity.ts'

const style = readFileSync(new URL('mailbox.css', import.meta.url), 'utf8')

export const MAILBOX_PATH = '/dev/mailbox'

const HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }

/** The newest mails for everyone to read, instead of sending them. Only for a shop under development. */
export async function mailbox(app: FastifyInstance, { orm, timeZone }: { orm: MikroORM; timeZone: string }): Promise<void> {
  app.get(MAILBOX_PATH, async (_request, reply) => {
    const mails = await orm.em.fork().find(Mail, { sentAt: { $ne: null } }, { orderBy: { sentAt: 'desc', id: 'desc' }, limit: 50 })
    const nonce = randomBytes(16).toString('base64')
    return reply.type('text/html; charset=utf-8')
      .headers({ ...HEADERS, 'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'` })
      .send(page(mails, timeZone, nonce))
  })

  // As a mail program would show it.
  app.get<{ Params: { id: string } }>(`${MAILBOX_PATH}/:id`, async ({ params: { id } }, reply) => {
    const mail = isId(id) ? await orm.em.fork().findOne(Mail, { id, sentAt: { $ne: null } }) : null
    if (!mail?.html) return reply.callNotFound()
    return reply.type('text/html; charset=utf-8')
      .headers({ ...HEADERS, 'content-security-policy': `sandbox allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'` })
      .send(mail.html)
  })
}

function page(mails: readonly Mail[], timeZone: string, nonce: string): string {
  const time = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium', timeZone })
  const articles = mails.map(({ id, recipient, subject, text, sentAt }) => `
<article aria-labelledby="m-${id}">
<h2 id="m-${id}">${escape(subject!)}</h2>
<p class="quiet">To ${escape(recipient!)}, ${time.format(sentAt!)} · <a href="${MAILBOX_PATH}/${id}">As a mail program shows it</a></p>
<pre>${linked(text!)}</pre>
</article>`)
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Mailbox – Skein</title><style nonce="${nonce}">${style}</style></head>
<body>
<main>
<h1>Mailbox</h1>
<p class="quiet">This shop is under development: mails are shown here, newest first, and sent to nobody. <a href="/">To the shop</a></p>
${articles.join('') || '<p>No mail yet. A mail takes a second to arrive: load the page again.</p>'}
</main>
</body>
</html>
`
}

const linked = (text: string) => escape(text).replaceAll(/https?:\/\/[^\s&]+/g, link => `<a href="${link}">${link}</a>`)
