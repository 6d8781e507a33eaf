import type { Span } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { valueAt } from '#schema/rules/present'
import { endSpan, startRequest } from '../kernel/tracing.ts'

/** A span for each request, named by its route, which is ours: paths that clients make up are not recorded. */
export function traceRequests(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, routeOptions } = request
    const route = routeOptions.url ?? 'none'
    const attributes = { 'http.request.method': method, 'http.route': route, 'skein.request_id': request.id }
    startRequest(`${method} ${route}`, headers, attributes, span => {
      spans.set(request, span)
      done()
    })
  })
  app.addHook('onResponse', async (request, { statusCode }) => {
    const span = valueAt(spans, request).setAttribute('http.response.status_code', statusCode)
    endSpan(span, statusCode >= 500 ? String(statusCode) : undefined)
  })
}
