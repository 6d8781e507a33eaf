import type { FastifyInstance } from 'fastify'
import { Problem, sendProblem, sendThrown } from './problem.ts'

/** Browser features that no page of the shop uses. `payment` is left to PayPal's frames. */
const UNUSED_FEATURES = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'serial',
  'usb',
]
  .map(feature => `${feature}=()`)
  .join(', ')

/** Every answer, even an early refusal, is taken for the type it states. */
export function protectAnswers(app: FastifyInstance, shopUrl: string): void {
  app.server.prependListener('request', (_request, response) => {
    response.setHeader('x-content-type-options', 'nosniff')
    response.setHeader('permissions-policy', UNUSED_FEATURES)
    // Only a shop that has a certificate may ask browsers to insist on one.
    if (shopUrl.startsWith('https:')) response.setHeader('strict-transport-security', 'max-age=31536000')
  })
}

/** Problems are answered as JSON unless a route says otherwise, and text is accepted in UTF-8 alone. */
export function answerInJson(app: FastifyInstance): void {
  app.setNotFoundHandler((_request, reply) =>
    sendProblem(reply, new Problem(404, 'NOT_FOUND', 'There is no such address.')),
  )
  app.addHook('onRequest', async ({ headers }, reply) => {
    const charset = /charset\s*=\s*"?([^\s;"]*)/i.exec(headers['content-type'] ?? '')?.[1]
    if (charset && !/^utf-?8$/i.test(charset))
      return sendProblem(reply, new Problem(415, 'UNSUPPORTED_MEDIA_TYPE', 'Text has to be in UTF-8.'))
  })
  app.setErrorHandler(sendThrown('json'))
}
