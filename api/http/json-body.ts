import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'

export const NOT_UTF8 = 'The request holds bytes that are no UTF-8 text. Please send it in UTF-8.'

/** Takes nothing but JSON in UTF-8; anything else would be kept with its letters lost. A POST without a body may still carry the header for one. */
export function acceptJson(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain')
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (!isUtf8(body)) done(Object.assign(new Error(NOT_UTF8), { statusCode: 400 }))
    else if (body.length === 0) done(null, undefined)
    else parse(request, body.toString(), done)
  })
}
