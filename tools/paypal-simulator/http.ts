// How the simulator reads requests and answers mistakes.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusal } from './errors.ts'

/** PayPal accepts a POST with a JSON content type and no body at all; Fastify's own parser does not. */
export function readBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') return done(null, undefined)
    try {
      done(null, JSON.parse(text))
    } catch {
      done(Object.assign(new Error('The request JSON is not well formed.'), { statusCode: 400 }))
    }
  })
  app.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, text, done) => {
      done(null, text)
    },
  )
}

export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
    const mistake = error.statusCode !== undefined && error.statusCode < 500
    const { status, body } = refusal(mistake ? 'MALFORMED_REQUEST_JSON' : 'INTERNAL_SERVICE_ERROR')
    return reply.status(status).send(body)
  })
  app.setNotFoundHandler((_request, reply) => {
    const { status, body } = refusal('INVALID_RESOURCE_ID')
    return reply.status(status).send(body)
  })
}

/** Other pages in the buyer's browser may not press the buttons here. Servers and tests send no Origin. */
export async function sameOriginOnly(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | void> {
  const { origin } = request.headers
  if (origin && origin !== `http://${request.host}`) {
    const { status, body } = refusal('PERMISSION_DENIED')
    return reply.status(status).send(body)
  }
}
