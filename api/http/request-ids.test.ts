import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify, { type FastifyBaseLogger } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../kernel/log.ts'
import { sendThrown, type Form } from './problem.ts'
import { nameRequests } from './request-ids.ts'
import { present } from '#schema/rules/present'

test.each<[Form, (body: string) => unknown]>([
  ['json', body => JSON.parse(body).requestId],
  ['graphql', body => JSON.parse(body).errors[0].extensions.requestId],
  ['page', body => /<code>(.*)<\/code>/.exec(body)?.[1]],
])('an apology as %s names its request, as its header and its line in the log do', async (form, idIn) => {
  const lines: string[] = []
  const log = createLog(
    'info',
    new Writable({
      write(line, _encoding, done) {
        lines.push(String(line))
        done()
      },
    }),
  )
  const app = Fastify({ loggerInstance: log as FastifyBaseLogger, childLoggerFactory: logger => logger })
  nameRequests(app)
  app.setErrorHandler(sendThrown(form))
  app.post('/:number', async () => {
    throw new Error('a bug')
  })
  const [first, second] = await Promise.all(
    ['/1', '/2'].map(url => app.inject({ method: 'POST', url, payload: { words: 'in a body' } })),
  )
  expect(present(first).headers['x-request-id']).not.toBe(present(second).headers['x-request-id'])
  for (const { statusCode, headers, body } of [present(first), present(second)]) {
    expect(statusCode).toBe(500)
    expect(idIn(body)).toBe(headers['x-request-id'])
    const logged = lines.map(line => JSON.parse(line)).filter(({ requestId }) => requestId === headers['x-request-id'])
    expect(logged.filter(({ msg }) => msg === 'a bug')).toHaveLength(1)
  }
})

test.each(['its reading', 'what came after'])(
  'an apology for %s names its request, also where the body came in pieces',
  async failing => {
    const app = Fastify()
    onTestFinished(() => app.close())
    nameRequests(app)
    app.setErrorHandler(sendThrown('page'))
    app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, words, done) => {
      if (words === 'its reading') throw new Error('a bug')
      done(null, words)
    })
    app.post('/', async () => {
      throw new Error('a bug')
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const asked = request({ port, host: '127.0.0.1', method: 'POST', headers: { 'content-type': 'text/plain' } })
    asked.write(failing.slice(0, 4))
    await pause(50)
    asked.end(failing.slice(4))
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(500)
    expect(await text(answer)).toContain(`<code>${answer.headers['x-request-id']}</code>`)
  },
)
