import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, vi } from 'vitest'
import { Mail } from '../mail/mail.entity.ts'
import type { AtLeast } from './at-least.ts'
import type { TestShop } from './shop.ts'
import { nth, present } from '#schema/rules/present'

interface ReadMail {
  subject: string
  text: string
  html: string
}

/** The newest mails to an address, oldest first, once there are that many. The shop must be one that shows its mails. */
export async function mailsTo<const Count extends number = 1>(
  shop: TestShop,
  recipient: string,
  count = 1 as Count,
): Promise<AtLeast<Count, ReadMail>> {
  return vi.waitFor(
    async () => {
      const mails = await shop.em().find(Mail, { recipient, sentAt: { $ne: null } }, { orderBy: { id: 'asc' } })
      expect(mails.map(({ subject }) => subject)).toHaveLength(count)
      return mails as unknown as AtLeast<Count, ReadMail>
    },
    { timeout: 15_000, interval: 100 },
  )
}

/** The token in a mail's link. */
export const tokenIn = ({ text }: { text: string }) =>
  nth(
    present(
      /\/(?:reset-password|verify-email|newsletter\/(?:confirm|unsubscribe)|bell\/(?:confirm|stop)|order\/[\w-]{36})#([\w-]{43})\s/.exec(
        text,
      ),
    ),
    1,
  )

/** A mail that a mail server was given. */
interface Delivery {
  from: string
  to: string[]
  /** Headers and body as they were sent. */
  data: string
}

/** A small mail server on loopback that only receives. `answer` sets its reply to the next commands with a given first word. */
export async function startMailServer() {
  const delivered: Delivery[] = []
  const sockets = new Set<Socket>()
  const answers = new Map<string, string>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    const say = (line: string) => socket.write(`${line}\r\n`)
    let mail: Delivery = { from: '', to: [], data: '' }
    let isData = false
    let rest = ''
    say('220 mail.test ESMTP')
    socket.on('data', chunk => {
      rest += chunk.toString()
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        if (isData && line !== '.') {
          mail.data += `${line.replace(/^\.\./, '.')}\n`
          continue
        }
        const word = isData ? 'END' : nth(line.split(/[ :]/), 0).toUpperCase()
        isData = false
        const planned = answers.get(word)
        if (planned) {
          if (planned === 'hang up') socket.destroy()
          else say(planned)
          continue
        }
        if (word === 'EHLO') say('250-mail.test\r\n250 SMTPUTF8')
        else if (word === 'DATA') {
          isData = true
          say('354 go on')
        } else if (word === 'QUIT') {
          say('221 bye')
          socket.end()
        } else {
          if (word === 'MAIL') mail = { from: nth(present(/<(.*?)>/.exec(line)), 1), to: [], data: '' }
          if (word === 'RCPT') mail.to.push(nth(present(/<(.*)>/.exec(line)), 1))
          if (word === 'END') delivered.push(mail)
          say('250 ok')
        }
      }
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    delivered,
    /** Undefined: answers as a mail server should. `END` is the end of a mail. */
    answer: (word: string, line: string | undefined) =>
      line === undefined ? answers.delete(word) : answers.set(word, line),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
