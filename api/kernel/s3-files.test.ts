import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { S3_KEYS, startBucket } from '../testing/bucket.ts'
import { filesOnDisk, type Files, type Listed } from './files.ts'
import { filesInBucket } from './s3-files.ts'

let storage: Awaited<ReturnType<typeof startBucket>>
let directory: string
beforeAll(async () => {
  for (const [name, value] of Object.entries(S3_KEYS)) vi.stubEnv(name, value)
  storage = await startBucket()
  directory = await mkdtemp(join(tmpdir(), 'skein-files-'))
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await storage?.stop()
  await rm(directory, { recursive: true, force: true })
})

async function all(files: Files, folder: string) {
  const listed: Listed[] = []
  for await (const some of files.list(folder)) listed.push(...some)
  return listed
}

describe.each([
  ['on disk', () => filesOnDisk(join(directory, 'files'))],
  ['in a bucket', () => filesInBucket(storage.bucket)],
])('files %s', (_where, open) => {
  it('are there once they are written, under one name or two, until they are removed', async () => {
    const files = open()
    const yarn = Buffer.from('merino \0 silk')
    expect(await files.read('uploads/yarn.webp')).toBeNull()
    await files.write('uploads/yarn.webp', Buffer.from('an older one'))
    await files.write('uploads/yarn.webp', yarn)
    expect(await files.read('uploads/yarn.webp')).toEqual(yarn)
    expect([await files.has('uploads/yarn.webp'), await files.has('uploads/none.webp')]).toEqual([true, false])
    await files.copy('uploads/yarn.webp', 'uploads/second.webp')
    await files.copy('uploads/none.webp', 'uploads/third.webp')
    await files.write('cache/pictures/yarn.webp-160.webp', yarn)
    const listed = await all(files, 'uploads/')
    expect(listed.map(({ name }) => name).toSorted()).toEqual(['uploads/second.webp', 'uploads/yarn.webp'])
    for (const { writtenAt } of listed) expect(Math.abs(Date.now() - writtenAt.getTime())).toBeLessThan(60_000)
    await files.remove(['uploads/yarn.webp', 'uploads/none.webp'])
    expect(await files.read('uploads/yarn.webp')).toBeNull()
    expect(await files.read('uploads/second.webp')).toEqual(yarn)
    expect(await all(files, 'nothing/')).toEqual([])
  })

  it('are copied out once', async () => {
    const [files, folder] = [open(), await mkdtemp(join(directory, 'out-'))]
    await files.write('uploads/out.webp', Buffer.from('first'))
    await files.copyOut('uploads/out.webp', join(folder, 'out.webp'))
    await files.write('uploads/out.webp', Buffer.from('second'))
    await files.copyOut('uploads/out.webp', join(folder, 'out.webp'))
    await files.copyOut('uploads/none.webp', join(folder, 'none.webp'))
    expect(await readdir(folder)).toEqual(['out.webp'])
    expect(await readFile(join(folder, 'out.webp'), 'utf8')).toBe('first')
  })
})

describe('a bucket', () => {
  it('lists more than one answer holds', async () => {
    const files = filesInBucket(storage.bucket)
    const names = Array.from({ length: 1_100 }, (_, index) => `many/${index}.webp`)
    for (let start = 0; start < names.length; start += 50)
      await Promise.all(names.slice(start, start + 50).map(name => files.write(name, Buffer.from('.'))))
    expect((await all(files, 'many/')).map(({ name }) => name).toSorted()).toEqual(names.toSorted())
    await files.remove(names.slice(1))
    expect((await all(files, 'many/')).map(({ name }) => name)).toEqual(names.slice(0, 1))
  })

  it('is not read with another’s key', async () => {
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'another')
    onTestFinished(() => void vi.stubEnv('AWS_SECRET_ACCESS_KEY', S3_KEYS.AWS_SECRET_ACCESS_KEY))
    await expect(filesInBucket(storage.bucket).read('uploads/second.webp')).rejects.toThrow(/signature/i)
  })

  it('that is not there is no missing file', async () => {
    const files = filesInBucket({ ...storage.bucket, name: 'no-such-bucket' })
    await expect(files.read('uploads/second.webp')).rejects.toThrow(/bucket/i)
  })

  it('that does not answer is asked again later', async () => {
    const silent = createServer(socket => socket.destroy()).listen(0, '127.0.0.1')
    onTestFinished(() => void silent.close())
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const files = filesInBucket({ ...storage.bucket, endpoint: `http://127.0.0.1:${port}` })
    await expect(files.read('uploads/second.webp')).rejects.toMatchObject({ extensions: { code: 'UNAVAILABLE' } })
  })
})
