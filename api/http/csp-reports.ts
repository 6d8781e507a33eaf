import type { FastifyInstance } from 'fastify'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { z } from 'zod'
import { Problem } from './problem.ts'

/** Where browsers say what a page's content security policy stopped. */
export const CSP_REPORTS = '/csp-reports'

const BODY_LIMIT = 10_000
/** Extensions in shoppers' browsers report too, without end: a few a minute are enough to see what is wrong. */
const PER_MINUTE = 20

const text = z.string().max(2_000)
/** The shape `report-uri` sends, and the one of `report-to`. */
const report = z.union([
  z
    .object({
      'csp-report': z.object({
        'effective-directive': text.optional(),
        'violated-directive': text.optional(),
        'blocked-uri': text.optional(),
      }),
    })
    .transform(({ 'csp-report': body }) => [
      { directive: body['effective-directive'] ?? body['violated-directive'], blocked: body['blocked-uri'] },
    ]),
  z
    .array(
      z.object({ type: text, body: z.object({ effectiveDirective: text.optional(), blockedURL: text.optional() }) }),
    )
    .max(10)
    .transform(reports =>
      reports
        .filter(({ type }) => type === 'csp-violation')
        .map(({ body }) => ({ directive: body.effectiveDirective, blocked: body.blockedURL })),
    ),
])

/** Logs what a policy stopped: the directive and the other side's origin. Which page it was, and whose, is not kept. */
export async function cspReports(app: FastifyInstance): Promise<void> {
  const logged = new RateLimiterMemory({ points: PER_MINUTE, duration: 60 })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    ['application/csp-report', 'application/reports+json', 'application/json'],
    { parseAs: 'string', bodyLimit: BODY_LIMIT },
    app.getDefaultJsonParser('error', 'error'),
  )
  app.post(CSP_REPORTS, async (request, reply) => {
    const found = report.safeParse(request.body)
    if (!found.success) throw new Problem(400, 'BAD_REQUEST', 'This is no report of a content security policy.')
    for (const { directive, blocked } of found.data) {
      const admitted = await logged.consume('all').then(
        () => true,
        () => false,
      )
      if (admitted)
        request.log.warn(
          { directive: directive?.slice(0, 60), blocked: originOf(blocked) },
          'The content security policy stopped something',
        )
    }
    return reply.code(204).send()
  })
}

/** `inline`, `eval` and `data` are words of the browser's own; of an address only the origin is of interest. */
function originOf(blocked: string | undefined): string | undefined {
  if (blocked === undefined || /^[\w-]{0,20}$/.test(blocked)) return blocked
  const url = URL.parse(blocked)
  return url && url.origin !== 'null' ? url.origin : url?.protocol
}
