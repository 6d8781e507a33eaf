import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MikroORM } from '@mikro-orm/postgresql'
import type { FastifyInstance } from 'fastify'
import { present } from '#schema/rules/present'
import { isId } from '../kernel/validation.ts'
import { escape, withoutSignature } from './template.ts'
import { Mail } from './mail.entity.ts'

export const MAILBOX_PATH = '/dev/mailbox'

const HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }

/** The newest mails for everyone to read, instead of sending them. Only for a shop under development. */
export async function mailbox(
  app: FastifyInstance,
  { orm, shopUrl, timeZone }: { orm: MikroORM; shopUrl: string; timeZone: string },
): Promise<void> {
  const style = readStyle()

  app.get(MAILBOX_PATH, async (_request, reply) => {
    await arrived(orm)
    const mails = await orm.em
      .fork()
      .find(Mail, { sentAt: { $ne: null } }, { orderBy: { sentAt: 'desc', id: 'desc' }, limit: 50 })
    const nonce = randomBytes(16).toString('base64')
    return reply
      .type('text/html; charset=utf-8')
      .headers({
        ...HEADERS,
        'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; font-src data:; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      })
      .send(page(mails, timeZone, `<style nonce="${nonce}">${style}</style>`))
  })

  // As a mail program would show it.
  app.get<{ Params: { id: string } }>(`${MAILBOX_PATH}/:id`, async ({ params: { id } }, reply) => {
    const mail = isId(id) ? await orm.em.fork().findOne(Mail, { id, sentAt: { $ne: null } }) : null
    if (!mail?.html) return reply.callNotFound()
    return reply
      .type('text/html; charset=utf-8')
      .headers({
        ...HEADERS,
        'content-security-policy': `sandbox allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' ${shopUrl} https:; frame-ancestors 'none'`,
      })
      .send(mail.html)
  })
}

const PAUSE_MS = 200
const MAX_PAUSES = 15

/** Waits for the mails on their way, which takes a second, but not for ever. */
async function arrived(orm: MikroORM): Promise<void> {
  for (let pauses = 0; pauses < MAX_PAUSES; pauses++) {
    if ((await orm.em.fork().count(Mail, { sentAt: null })) === 0) return
    await sleep(PAUSE_MS)
  }
}

function readStyle(): string {
  const face = (family: string, weights: string, file: string) => {
    const font = readFileSync(new URL(import.meta.resolve(`@fontsource-variable/${file}`)), 'base64')
    return `@font-face{font-family:'${family}';font-weight:${weights};src:url(data:font/woff2;base64,${font}) format('woff2')}`
  }
  return [
    face('Brygada 1918', '400 700', 'brygada-1918/files/brygada-1918-latin-wght-normal.woff2'),
    face('Source Sans 3', '200 900', 'source-sans-3/files/source-sans-3-latin-wght-normal.woff2'),
    readFileSync(new URL('mailbox.css', import.meta.url), 'utf8'),
  ].join('\n')
}

function page(mails: readonly Mail[], timeZone: string, style: string): string {
  const time = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium', timeZone })
  const articles = mails.map(({ id, ...mail }) => {
    const subject = escape(present(mail.subject))
    return `
<article aria-labelledby="m-${id}">
<h2 id="m-${id}">${subject}</h2>
<p class="quiet">To ${escape(present(mail.recipient))}, ${time.format(present(mail.sentAt))}</p>
<pre>${linked(withoutSignature(present(mail.text)))}</pre>
<p class="quiet"><a href="${MAILBOX_PATH}/${id}">As a mail program shows it<span class="hidden">: ${subject}</span></a></p>
</article>`
  })
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>Mailbox – Skein</title><link rel="icon" href="/favicon.svg">${style}</head>
<body>
<header><a class="logo" href="/">Skein</a></header>
<main>
<h1>Mailbox</h1>
<p class="quiet">This shop is a demonstration: its mails are sent to nobody and shown here instead, newest first, to everyone.</p>
${articles.join('') || '<p class="none">No mail yet. Place an order, or forget a password.</p>'}
</main>
</body>
</html>
`
}

const linked = (text: string) => escape(text).replaceAll(/https?:\/\/[^\s&]+/g, link => `<a href="${link}">${link}</a>`)
