import { linkSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DataDirInUse } from './errors.ts'
import { isAlive, readText, startOf } from './system.ts'

/** Writes a file with the process id and its start time, since ids are reused. Returns a function that removes it. */
export function lockDataDir(dataDir: string): () => void {
  const file = join(dataDir, 'skein.lock')
  const mine = `${process.pid}\n${startOf(process.pid)}\n`
  for (let attempt = 0; attempt < 10; attempt++) {
    if (claim(file, mine)) return () => release(file, mine)
    const theirs = readText(file)
    if (theirs === undefined) continue
    const pid = holderOf(theirs)
    if (pid !== undefined)
      throw new DataDirInUse(
        `The data directory ${dataDir} is in use by another shop (process ${pid}): stop that one, or set DATA_DIR to another directory.`,
      )
    discard(file, theirs)
  }
  throw new DataDirInUse(
    `The data directory ${dataDir} is being opened by another shop: stop that one, or set DATA_DIR to another directory.`,
  )
}

/** Made by a hard link, so that the lock appears together with its content. */
function claim(file: string, content: string): boolean {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, content)
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function holderOf(content: string): number | undefined {
  const [pid, start] = content.split('\n')
  return isAlive(Number(pid)) && startOf(Number(pid)) === start ? Number(pid) : undefined
}

/** Removes the lock of a shop that has ended. If it turns out to be another shop's new lock, puts it back. */
function discard(file: string, stale: string): void {
  const aside = `${file}.stale.${process.pid}`
  try {
    renameSync(file, aside)
    if (readText(aside) !== stale) linkSync(aside, file)
  } catch {
    // Another process has removed it already.
  } finally {
    rmSync(aside, { force: true })
  }
}

function release(file: string, mine: string): void {
  try {
    if (readText(file) === mine) unlinkSync(file)
  } catch {
    // The data directory itself is gone.
  }
}
