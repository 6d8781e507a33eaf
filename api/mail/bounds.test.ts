import { createServer, type AddressInfo, type Socket } from 'node:net'
import type { MikroORM } from '@mikro-orm/postgresql'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { DEFAULT_DELIVERY } from '#schema/rules/delivery'
import type { Jobs } from '../jobs/jobs.ts'
import { openShop, type TestShop } from '../testing/shop.ts'
import { queueMail } from './queue-mail.ts'
import { openPostOffice } from './post-office.ts'
import { sendMails } from './send-mail.ts'
import type { Letter, Templates } from './template.ts'

// How long a letter is carried, and a closing shop waits for it: both are over at once here, and what they bound never is.

/** Lets a time be over when `signal` says so. */
function endWith(signal: AbortSignal, bound: number) {
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(ms => (ms === bound ? signal : timeout(ms)))
}

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.close())
afterEach(() => void vi.restoreAllMocks())

const letter: Letter = { recipient: 'nell@example.com', subject: 'Yarn', text: 'Yarn', html: '<p>Yarn</p>' }
const about = {
  templates: { NEWSLETTER_WELCOME: () => letter } as unknown as Templates,
  shopUrl: 'http://shop.test',
  contact: { name: 'Skein', email: null, address: null, taxId: null },
  timeZone: 'UTC',
  delivery: DEFAULT_DELIVERY,
  log: pino({ level: 'silent' }),
}

/** In how many seconds the mail is due. */
const waits = async () => {
  const [mail] = await shop
    .em()
    .execute<{ seconds: number }[]>('select extract(epoch from due_at - now())::float8 as seconds from mails')
  return mail?.seconds
}

it('a letter that a mail server says neither yes nor no to is given up, and tried again', async () => {
  const bound = new AbortController()
  endWith(bound.signal, 45_000)
  await shop
    .em()
    .execute(
      `insert into mails (id, kind, about, created_at, due_at) values (gen_random_uuid(), 'NEWSLETTER_WELCOME', '{}', now(), now() - interval '1 minute')`,
    )
  const carry = () => {
    bound.abort(new Error('too late'))
    return new Promise<never>(() => {})
  }
  expect(await sendMails({ ...about, newEm: () => shop.em(), carry }, 1)).toBe(1)
  expect(await waits()).toBeLessThan(30)
  await shop.em().execute('delete from mails')
})

it('a shop that closes leaves a letter to the next process that its mail server keeps waiting for', async () => {
  const sockets: Socket[] = []
  const silent = createServer(socket => void sockets.push(socket.on('error', () => {})))
  await new Promise<void>(listening => silent.listen(0, '127.0.0.1', listening))
  const em = shop.em()
  const close = await openPostOffice({
    ...about,
    orm: { em, config: em.config } as MikroORM,
    jobs: { work: async () => {} } as unknown as Jobs,
    route: {
      to: 'smtp',
      url: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      from: 'shop@skein.example',
    },
  })
  queueMail(em, 'NEWSLETTER_WELCOME', { emailKey: 'nell@example.com' })
  await em.flush()
  await vi.waitFor(() => expect(sockets).toHaveLength(1), { timeout: 10_000 })
  endWith(AbortSignal.abort(), 10_000)
  await close()
  // Not tried again: still in hand, for a minute.
  expect(await waits()).toBeGreaterThan(30)
  for (const socket of sockets) socket.destroy()
  silent.close()
})
