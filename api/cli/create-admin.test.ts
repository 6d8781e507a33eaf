import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { hashPassword, passwordMatches } from '../account/password.ts'
import { Session } from '../account/session.entity.ts'
import { User } from '../account/user.entity.ts'
import { AuditEntry } from '../audit/audit-entry.entity.ts'
import { connect } from '../db/config.ts'
import type { DataOf } from '../generated/answers.ts'
import { startProcess } from '../testing/process.ts'
import { makeUser, ownDatabase } from '../testing/shop.ts'
import { present } from '#schema/rules/present'

const COMMAND = 'npm run create-admin -- owner@example.com'
const PASSWORD = 'two sleeves and a yoke'

interface Ended {
  code: number
  said: string
  complained: string
}

/** Runs the command as `npm run create-admin` does. */
function createAdmin(env: Record<string, string>, ...args: string[]): Promise<Ended> {
  return new Promise(resolve => {
    execFile(
      process.execPath,
      ['--import', 'tsx', 'api/cli/create-admin.ts', ...args],
      {
        cwd: fileURLToPath(new URL('../..', import.meta.url)),
        env: {
          PATH: process.env['PATH'],
          TSX_TSCONFIG_PATH: 'api/tsconfig.json',
          SHOP_URL: 'https://shop.example',
          ...env,
        },
      },
      (error, said, complained) => resolve({ code: Number(error?.code ?? 0), said, complained }),
    )
  })
}

const linkIn = ({ said }: Ended) => /https:\/\/shop\.example\/reset-password#([\w-]{43})\n/.exec(said)?.[1]

async function tempDir() {
  const dir = await mkdtemp(join(tmpdir(), 'skein-owner-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return dir
}

async function database() {
  const { url, drop } = await ownDatabase()
  onTestFinished(drop)
  const orm = await connect(url)
  onTestFinished(() => orm.close())
  return { url, em: () => orm.em.fork() }
}

async function ask<const Document extends string>(url: string, query: Document, variables: object, token?: string) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query, variables }),
  })
  return ((await response.json()) as { data: DataOf<Document> }).data
}

const choose = (url: string, token: string, password = PASSWORD) =>
  ask(
    url,
    'mutation($token: String!, $password: String!) { resetPassword(token: $token, password: $password) { userErrors { code } } }',
    { token, password },
  )
const signIn = async (url: string, email: string, password = PASSWORD) =>
  (
    await ask(
      url,
      'mutation($email: String!, $password: String!) { login(email: $email, password: $password) { token user { name isAdmin } userErrors { code } } }',
      { email, password },
    )
  ).login

describe('a shop without an administrator', () => {
  it('gets its first one by a command while it runs, on its own database', async () => {
    const env = { DATA_DIR: await tempDir() }
    const shop = await startProcess({ ...env, SEED: 'none' })
    onTestFinished(() => void shop.child.kill('SIGKILL'))
    expect(shop.output()).toContain(COMMAND)
    const ended = await createAdmin(env, 'Olive@Example.com', '--name', 'Olive Owner')
    expect(ended).toMatchObject({ code: 0, complained: '' })
    const token = present(linkIn(ended))
    expect((await fetch(`${shop.url}/reset-password`)).status).toBe(200)
    expect((await choose(shop.url, token)).resetPassword.userErrors).toEqual([])
    expect((await choose(shop.url, token, 'yet another one')).resetPassword.userErrors).toMatchObject([
      { code: 'RESET_LINK_SPENT' },
    ])
    const session = await signIn(shop.url, 'olive@example.com')
    expect(session).toMatchObject({ user: { name: 'Olive Owner', isAdmin: true }, userErrors: [] })
    expect(
      await ask(
        shop.url,
        '{ users { items { email } } auditLog { items { action label actor { name } changes { field after } } } }',
        {},
        session.token,
      ),
    ).toEqual({
      users: { items: [{ email: 'Olive@Example.com' }] },
      auditLog: {
        items: [
          {
            action: 'CREATED',
            label: 'Olive@Example.com',
            actor: { name: 'Command line' },
            changes: [{ field: 'isAdmin', after: 'true' }],
          },
        ],
      },
    })
    expect(shop.output()).not.toContain(token)
    await shop.end()
    const again = await startProcess({ ...env, SEED: 'none' })
    onTestFinished(() => void again.child.kill('SIGKILL'))
    expect(again.output()).not.toContain('create-admin')
    await again.end()
  })

  it('gets its first one before it ever ran', async () => {
    const env = { DATA_DIR: await tempDir() }
    const ended = await createAdmin(env, 'owner@example.com')
    expect(ended.code).toBe(0)
    const shop = await startProcess({ ...env, SEED: 'none' })
    onTestFinished(() => void shop.child.kill('SIGKILL'))
    expect((await choose(shop.url, present(linkIn(ended)))).resetPassword.userErrors).toEqual([])
    expect(await signIn(shop.url, 'owner@example.com')).toMatchObject({ user: { isAdmin: true } })
    await shop.end()
  })
})

describe('an account that is there already', () => {
  it('becomes an administrator only for who has the link', async () => {
    const { url, em } = await database()
    const known = await makeUser(em(), {
      name: 'Squatter',
      email: 'owner@example.com',
      passwordHash: await hashPassword(PASSWORD),
    })
    const ended = await createAdmin(
      { DATABASE_URL: url, DATA_DIR: await tempDir() },
      'OWNER@example.com',
      '--name',
      'Olive',
    )
    expect([ended.code, linkIn(ended)]).toEqual([0, expect.any(String)])
    const user = await em().findOneOrFail(User, { id: known.id })
    expect(user).toMatchObject({ isAdmin: true, name: 'Squatter' })
    expect(await passwordMatches(user.passwordHash, PASSWORD)).toBe(false)
    expect(await em().count(Session)).toBe(0)
    expect(await em().findAll(AuditEntry)).toMatchObject([
      {
        entityId: known.id,
        action: 'UPDATED',
        actorName: 'Command line',
        changes: [{ field: 'isAdmin', before: 'false', after: 'true' }],
      },
    ])
  })

  it('keeps its password as an administrator until the link is used, and the newest link alone works', async () => {
    const { url, em } = await database()
    const known = await makeUser(em(), {
      email: 'owner@example.com',
      isAdmin: true,
      passwordHash: await hashPassword(PASSWORD),
    })
    const env = { DATABASE_URL: url, DATA_DIR: await tempDir() }
    const first = await createAdmin(env, 'owner@example.com')
    const second = await createAdmin(env, 'owner@example.com')
    expect([first.code, second.code]).toEqual([0, 0])
    const user = await em().findOneOrFail(User, { id: known.id })
    expect(await passwordMatches(user.passwordHash, PASSWORD)).toBe(true)
    expect(await em().count(Session)).toBe(1)
    const shop = await startProcess(env)
    onTestFinished(() => void shop.child.kill('SIGKILL'))
    expect((await choose(shop.url, present(linkIn(first)))).resetPassword.userErrors).toMatchObject([
      { code: 'RESET_LINK_SPENT' },
    ])
    expect((await choose(shop.url, present(linkIn(second)))).resetPassword.userErrors).toEqual([])
    await shop.end()
  })
})

describe('the command', () => {
  test.each([
    [[], /^Say whose address: npm run create-admin -- owner@example\.com/],
    [['one@example.com', 'two@example.com'], /^Say whose address/],
    [['owner'], /^Please enter a valid email address\.\n$/],
    [['owner@example.com', '--name', ''], /^Name is required\.\n$/],
    [['owner@example.com', '--role', 'king'], /^Unknown option '--role'/],
  ])('says in one sentence what is wrong with %j', async (args, sentence) => {
    const { url } = await database()
    const { code, said, complained } = await createAdmin({ DATABASE_URL: url, DATA_DIR: await tempDir() }, ...args)
    expect([code, said]).toEqual([1, ''])
    expect(complained).toMatch(sentence)
    expect(complained.trimEnd().split('\n')).toHaveLength(1)
  })

  it('says in one sentence that there is no database', async () => {
    const { code, complained } = await createAdmin(
      { DATABASE_URL: 'postgres://nobody:x@127.0.0.1:9/skein', DATA_DIR: await tempDir() },
      'owner@example.com',
    )
    expect(code).toBe(1)
    expect(complained).toMatch(/^Cannot use the database: .*\n$/)
  })
})
