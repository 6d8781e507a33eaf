import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { present } from '#schema/rules/present'
import { v7 } from 'uuid'
import { recordAudit } from '../audit/record-audit.ts'
import { signedIn, type Context } from '../context.ts'
import { demandOfAdmin, SCOPES } from '../partner/scopes.ts'
import { allSubscribers, type Subscriber } from './list-subscribers.ts'

interface Options {
  contextOf: (request: FastifyRequest) => Promise<Context>
  shopUrl: string
}

/** `GET /api/newsletter/subscribers.csv`, for administrators: the list, for the program that writes the newsletter. */
export async function subscribersCsv(app: FastifyInstance, { contextOf, shopUrl }: Options): Promise<void> {
  app.get('/api/newsletter/subscribers.csv', async (request, reply) => {
    const context = await contextOf(request)
    const { em } = context
    const user = signedIn(context)
    demandOfAdmin(context, present(SCOPES['newsletterSubscribers']))
    await recordAudit(em, user, {
      entity: 'EXPORT',
      entityId: v7(),
      label: 'newsletterSubscribers',
      action: 'DOWNLOADED',
    })
    const rowOf = ({ email, confirmedAt, unsubscribePath }: Subscriber) => [
      email,
      confirmedAt.toISOString(),
      `${shopUrl}${unsubscribePath}`,
    ]
    async function* lines() {
      yield stringify([['email', 'confirmed_at', 'unsubscribe_url']], { bom: true, record_delimiter: 'windows' })
      for await (const some of allSubscribers(em))
        // Spreadsheets would run an address that begins as a formula does.
        yield stringify(some.map(rowOf), { escape_formulas: true, record_delimiter: 'windows' })
    }
    return reply
      .type('text/csv; charset=utf-8')
      .headers({
        'content-disposition': 'attachment; filename="newsletter-subscribers.csv"',
        'cache-control': 'private, no-store',
      })
      .send(Readable.from(lines()))
  })
}
