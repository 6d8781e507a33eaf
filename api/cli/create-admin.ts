// `npm run create-admin -- ADDRESS [--name NAME]`: makes an administrator, while the shop runs or not, and prints a link
// to choose the password.
import { parseArgs } from 'node:util'
import { limits } from '#schema/rules/limits'
import { appointAdmin, type Appointment } from '../account/appoint-admin.ts'
import { connect, migrate } from '../db/config.ts'
import { openDatabase } from '../db/open-database.ts'
import { readEnv } from '../kernel/env.ts'
import { Refusal } from '../kernel/errors.ts'
import { inOneSentence } from '../kernel/in-one-sentence.ts'

const USAGE = 'Say whose address: npm run create-admin -- owner@example.com --name "Olive Owner"'

const TOLD: Record<Appointment['became'], (email: string) => string> = {
  created: email => `${email} has an account now, and is an administrator.`,
  promoted: email =>
    `${email} is an administrator now. The old password is void, and everyone who was signed in with it is signed out.`,
  unchanged: email =>
    `${email} is an administrator already. The password stays as it is until the link is used; a second factor is off now.`,
}

async function createAdmin(): Promise<void> {
  const {
    values,
    positionals: [email, ...more],
  } = parseArgs({ allowPositionals: true, options: { name: { type: 'string' } } })
  if (!email || more.length > 0) throw new Error(USAGE)
  const env = readEnv()
  const database = await openDatabase(env, 'allowed')
  try {
    const orm = await connect(database.url)
    try {
      await migrate(orm)
      const { user, became, token } = await appointAdmin(orm.em.fork(), { email, name: values.name })
      console.log(TOLD[became](user.email))
      console.log(
        `\nChoose the password here; the link works once, for ${limits.resetMinutes} minutes:\n\n  ${env.shopUrl}/reset-password#${token}\n`,
      )
    } finally {
      await orm.close()
    }
  } finally {
    await database.close()
  }
}

try {
  await createAdmin()
} catch (error) {
  const { code = '', message } = error as NodeJS.ErrnoException
  const isForTheOwner = error instanceof Refusal || message === USAGE || code.startsWith?.('ERR_PARSE_ARGS')
  console.error(isForTheOwner ? message : inOneSentence(error))
  process.exitCode = 1
}
