import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { EnvError } from './env.ts'

/** Makes a directory and those above it. Node's own way to do that never ends where nothing can be made, as below /proc. */
export function makeDataDir(dir: string): void {
  try {
    mkdirSync(dir)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || dirname(dir) === dir) throw error
    makeDataDir(dirname(dir))
    try {
      mkdirSync(dir)
    } catch (again) {
      if ((again as NodeJS.ErrnoException).code !== 'ENOENT') throw again
      throw new EnvError([
        `DATA_DIR needs ${JSON.stringify(dir)}, where no directory can be made: choose another place.`,
      ])
    }
  }
}
