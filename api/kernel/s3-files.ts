import { writeFile } from 'node:fs/promises'
import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { lastOf, nth, present } from '#schema/rules/present'
import { unavailable } from './errors.ts'
import type { Files } from './files.ts'

export interface Bucket {
  name: string
  region: string
  /** Of a storage other than Amazon's, which then is asked for paths, not for hosts. */
  endpoint: string | undefined
}

/** No file of the shop is larger. */
const MOST_BYTES = 64 * 2 ** 20
const CONNECT_MS = 2_000
const ANSWER_MS = 10_000
const TRIES = 3
/** How many one request may remove. */
const BATCH = 1_000

/** Files in a bucket of an S3-compatible storage. Keys are what the AWS SDK finds, such as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. */
export function filesInBucket({ name: Bucket, region, endpoint }: Bucket): Files {
  const client = new S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    maxAttempts: TRIES,
    // Many storages know no checksums but those that requests are signed with.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
  })
  const files: Files = {
    async read(Key) {
      const found = await orNull(client.send(new GetObjectCommand({ Bucket, Key })))
      if (!found?.Body) return null
      if ((found.ContentLength ?? 0) > MOST_BYTES) throw new Error(`${Key} is too large`)
      return Buffer.from(await found.Body.transformToByteArray())
    },
    async write(Key, content) {
      await said(client.send(new PutObjectCommand({ Bucket, Key, Body: content })))
    },
    has: async Key => (await orNull(client.send(new HeadObjectCommand({ Bucket, Key })))) !== null,
    async copy(from, Key) {
      await orNull(client.send(new CopyObjectCommand({ Bucket, Key, CopySource: `${Bucket}/${from}` })))
    },
    async copyOut(name, path) {
      const content = await files.read(name)
      if (content)
        await writeFile(path, content, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw error
        })
    },
    async remove(names) {
      for (let start = 0; start < names.length; start += BATCH) {
        const Objects = names.slice(start, start + BATCH).map(Key => ({ Key }))
        const { Errors } = await said(
          client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } })),
        )
        if (Errors?.length) throw new Error(`${nth(Errors, 0).Key} cannot be removed: ${nth(Errors, 0).Message}`)
      }
    },
    async *list(folder) {
      // Uses the first version of the list call, which every storage supports.
      for (let last = ''; ;) {
        const { Contents = [], IsTruncated } = await said(
          client.send(new ListObjectsCommand({ Bucket, Prefix: folder, Marker: last })),
        )
        yield Contents.map(({ Key, LastModified }) => ({
          name: present(Key),
          writtenAt: present(LastModified),
        }))
        if (!IsTruncated || Contents.length === 0) return
        last = present(lastOf(Contents).Key)
      }
    },
  }
  return files
}

async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await said(asked)
  } catch (error) {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404 && error.name !== 'NoSuchBucket')
      return null
    throw error
  }
}

/** A failure is reported as temporary: the client may try again. */
async function said<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof S3ServiceException && error.$fault === 'client') throw error
    throw Object.assign(error as Error, { extensions: unavailable().extensions })
  }
}
