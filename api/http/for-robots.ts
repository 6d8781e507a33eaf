import type { FastifyInstance } from 'fastify'
import { clock } from '../kernel/clock.ts'

const SECURITY_DAYS = 180

/** What belongs to one visitor, or changes something, or is without end: no robot has to enter it. */
const CLOSED = [
  '/admin',
  '/cart',
  '/login',
  '/signing-in',
  '/register',
  '/forgot-password',
  '/reset-password',
  '/verify-email',
  '/newsletter',
  '/bell',
  '/shipping',
  '/place-order',
  '/order',
  '/profile',
  '/stash',
  '/search',
  '/top-rated/search',
]

/** Where robots may go, and whom to write to about a hole. */
export async function forRobots(
  app: FastifyInstance,
  { shopUrl, contact }: { shopUrl: string; contact: { email: string | null } },
): Promise<void> {
  app.get('/robots.txt', async (_request, reply) => {
    return reply
      .type('text/plain')
      .send(
        ['User-agent: *', ...CLOSED.map(path => `Disallow: ${path}`), `Sitemap: ${shopUrl}/sitemap.xml`, ''].join('\n'),
      )
  })

  // RFC 9116. It expires after a year, so that a reader fetches it again.
  app.get('/.well-known/security.txt', async (_request, reply) => {
    const expires = new Date(clock.now().getTime() + SECURITY_DAYS * 86_400_000).toISOString()
    return reply
      .type('text/plain; charset=utf-8')
      .send(
        [
          `Contact: ${contact.email ? `mailto:${contact.email}` : `${shopUrl}/contact`}`,
          `Expires: ${expires}`,
          'Preferred-Languages: en',
          `Canonical: ${shopUrl}/.well-known/security.txt`,
          '',
        ].join('\n'),
      )
  })
}
