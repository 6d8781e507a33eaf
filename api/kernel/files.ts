import { access, copyFile, link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { v7 } from 'uuid'

/** Files under names such as `uploads/yarn.webp`, on the disk of this machine or where several machines share them. */
export interface Files {
  /** Null for one that is not there. */
  read(name: string): Promise<Buffer | null>
  /** Written atomically. A `personal` file is readable by the shop's user alone. */
  write(name: string, content: Buffer, options?: { personal?: boolean }): Promise<void>
  has(name: string): Promise<boolean>
  /** A second name for the same. Nothing when there is no such file. */
  copy(from: string, to: string): Promise<void>
  /** To a disk of this machine, where it stays as it is. Nothing when there is no such file, or one at the place. */
  copyOut(name: string, path: string): Promise<void>
  /** Missing files are ignored. */
  remove(names: readonly string[]): Promise<void>
  /** Those whose names begin so, some at a time; it ends with a slash. */
  list(folder: string): AsyncIterable<readonly Listed[]>
}

export interface Listed {
  name: string
  writtenAt: Date
}

/** One file after the other, each when the one before has been sent. */
export async function* oneAfterTheOther(files: Files, names: readonly string[]): AsyncGenerator<Buffer> {
  for (const name of names) {
    const content = await files.read(name)
    if (!content) throw new Error(`${name} is missing`)
    yield content
  }
}

/** Longer than any process takes to write one. */
const UNFINISHED_MS = 5 * 60_000

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Files below a directory. */
export function filesOnDisk(directory: string): Files {
  const pathOf = (name: string) => join(directory, name)
  /** When a file was written; null when it is gone. Half-written files of a process that died are removed. */
  async function writtenAt(name: string): Promise<Date | null> {
    const mtime = await stat(pathOf(name)).then(
      found => found.mtime,
      () => null,
    )
    if (!basename(name).startsWith('.')) return mtime
    if (mtime && Date.now() - mtime.getTime() > UNFINISHED_MS) await rm(pathOf(name), { force: true })
    return null
  }
  return {
    async read(name) {
      try {
        return await readFile(pathOf(name))
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    async write(name, content, { personal = false } = {}) {
      const unfinished = pathOf(join(dirname(name), `.${basename(name)}.${v7()}.part`))
      try {
        await mkdir(dirname(unfinished), { recursive: true, ...(personal && { mode: 0o700 }) })
        await writeFile(unfinished, content, { flush: true, ...(personal && { mode: 0o600 }) })
        await rename(unfinished, pathOf(name))
      } catch (error) {
        await rm(unfinished, { force: true }).catch(() => {})
        throw error
      }
    },
    has: name =>
      access(pathOf(name)).then(
        () => true,
        () => false,
      ),
    async copy(from, to) {
      // It needs no room on a disk that is full.
      await link(pathOf(from), pathOf(to)).catch(error => {
        if (!isMissing(error)) throw error
      })
    },
    async copyOut(name, path) {
      await link(pathOf(name), path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST' || isMissing(error)) return
        return copyFile(pathOf(name), path)
      })
    },
    async remove(names) {
      await Promise.all(names.map(name => rm(pathOf(name), { force: true })))
    },
    async *list(folder) {
      const listed: Listed[] = []
      for (const name of await readdir(pathOf(folder)).catch(() => [])) {
        const at = await writtenAt(folder + name)
        if (at) listed.push({ name: folder + name, writtenAt: at })
      }
      yield listed
    },
  }
}
