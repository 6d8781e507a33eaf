import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { EnvError } from './env-variables.ts'

/**
 * Creates a directory with its parents. Node's recursive mkdir never returns where nothing can be created, as below
 * /proc.
 */
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
