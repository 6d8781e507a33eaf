import type { Env } from './env.ts'
import { filesOnDisk, type Files } from './files.ts'

/** Where the shop's files lie: the bucket of the environment, or else the data directory. */
export async function openFiles({ bucket, dataDir }: Pick<Env, 'bucket' | 'dataDir'>): Promise<Files> {
  if (!bucket) return filesOnDisk(dataDir)
  // Only now: it takes its time to load.
  const { filesInBucket } = await import('./s3-files.ts')
  return filesInBucket(bucket)
}
