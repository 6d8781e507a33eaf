import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { connect } from '../db/config.ts'
import { restoreBackup } from '../db/backup/restore-backup.ts'
import { writeBackup } from '../db/backup/write-backup.ts'
import { filesOnDisk, type Files } from '../kernel/files.ts'
import { filesInBucket } from '../kernel/s3-files.ts'
import { ask, uploadPicture } from '../testing/admin.ts'
import { S3_KEYS, startBucket } from '../testing/bucket.ts'
import {
  blankDatabase,
  makeProduct,
  makeUser,
  openShop,
  picturesDiscarded,
  type Account,
  type TestShop,
} from '../testing/shop.ts'
import { present } from '#schema/rules/present'

let storage: Awaited<ReturnType<typeof startBucket>>
let files: Files
/** Two shops that share no disk, as on two machines. */
let one: TestShop
let other: TestShop
let admin: Account
beforeAll(async () => {
  for (const [name, value] of Object.entries(S3_KEYS)) vi.stubEnv(name, value)
  storage = await startBucket()
  files = filesInBucket(storage.bucket)
  one = await openShop({ files })
  other = await openShop({ database: one.databaseUrl, files: filesInBucket(storage.bucket) })
  admin = await makeUser(one.em(), { isAdmin: true })
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await other?.close()
  await one?.close()
  await storage?.stop()
})

const file = () =>
  sharp({ create: { width: 600, height: 400, channels: 3, background: '#7a3b52' } })
    .png()
    .toBuffer()

async function uploaded(): Promise<string> {
  const { image } = await uploadPicture(one, admin, await file(), 'picture.png')
  return present(image)
}

const give = (id: string, image: string) =>
  ask(
    one,
    admin,
    'mutation($id: ID!, $image: String!) { patchProduct(id: $id, input: { image: $image }) { userErrors { code } } }',
    {
      id,
      image,
    },
  )

const names = async (folder: string) => {
  const listed: string[] = []
  for await (const some of files.list(folder)) listed.push(...some.map(({ name }) => name))
  return listed
}

it('a picture that one machine took in, another one serves, in every width, as from a disk', async () => {
  const image = await uploaded()
  const get = (url: string) => fetch(url, { headers: { origin: 'https://app.example.com' } })
  const whole = await get(`${other.url}${image}`)
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'image/webp'])
  for (const query of ['w=160', 'w=320&as=avif', 'w=320&as=png']) {
    const first = await get(`${other.url}${image}?${query}`)
    const again = await get(`${one.url}${image}?${query}`)
    expect(Buffer.from(await first.arrayBuffer())).toEqual(Buffer.from(await again.arrayBuffer()))
    expect(again.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(again.headers.get('access-control-allow-origin')).toBe('*')
    expect(again.headers.get('content-security-policy')).toBe(`default-src 'none'; sandbox`)
  }
  expect(await names(`cache/pictures/${image.slice(9)}`)).toHaveLength(3)
  // Smaller copies of a sample picture are stored in the bucket, too; the picture itself comes with the shop.
  expect((await get(`${one.url}/images/sample.webp?w=160`)).status).toBe(200)
  expect(await names('images/')).toEqual([])
  expect((await get(`${one.url}/uploads/none.webp`)).status).toBe(404)
})

it('a picture that nothing shows any more is gone for all of them, with its copies', async () => {
  const [{ id }, image] = [await makeProduct(one.em()), await uploaded()]
  await give(id, image)
  expect((await fetch(`${other.url}${image}?w=160`)).status).toBe(200)
  await give(id, '/images/sample.webp')
  await picturesDiscarded(one)
  for (const { url } of [one, other])
    for (const query of ['', '?w=160']) expect((await fetch(`${url}${image}${query}`)).status).toBe(404)
  expect(await names(`uploads/${image.slice(9)}`)).toEqual([])
  expect(await names(`cache/pictures/${image.slice(9)}`)).toEqual([])
})

it('a backup holds the pictures, and puts them on a disk or into a bucket', async () => {
  const [{ id }, image] = [await makeProduct(one.em()), await uploaded()]
  await give(id, image)
  const dataDir = await mkdtemp(join(tmpdir(), 'skein-bucket-backup-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const backup = join(dataDir, 'shop.backup')
  const { files: pictures } = await writeBackup(backup, { databaseUrl: one.databaseUrl, dataDir, files })
  expect(pictures).toBe((await names('uploads/')).length)
  const before = await files.read(image.slice(1))
  await files.remove([image.slice(1)])
  const { url, drop } = await blankDatabase()
  onTestFinished(drop)
  await connect(url).then(orm => orm.close())
  for (const [to, replace] of [
    [files, false],
    [filesOnDisk(dataDir), true],
  ] as const) {
    await restoreBackup(backup, { databaseUrl: url, files: to, replace })
    expect(await to.read(image.slice(1))).toEqual(before)
  }
  expect(await readdir(dataDir)).toEqual(expect.arrayContaining(['uploads', 'shop.backup']))
})
