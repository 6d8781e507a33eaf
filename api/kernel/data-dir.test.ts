import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeDataDir } from './data-dir.ts'

function tempDir() {
  const dir = mkdtempSync(join(tmpdir(), 'skein-dir-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  return dir
}

it('makes a directory and those above it, and finds it again', () => {
  const dir = join(tempDir(), 'a/b/c')
  for (let start = 0; start < 2; start++) makeDataDir(dir)
  expect(existsSync(dir)).toBe(true)
})

it.skipIf(process.platform !== 'linux').each(['/proc/skein', '/proc/1/skein/data'])(
  'says that there can be none at %s',
  dir => {
    expect(() => makeDataDir(dir)).toThrow(
      /^DATA_DIR needs "\/proc\/.*skein", where no directory can be made: choose another place\.$/,
    )
  },
)

it('makes none below a file', () => {
  const file = join(tempDir(), 'file')
  writeFileSync(file, '')
  expect(() => makeDataDir(join(file, 'data'))).toThrow('ENOTDIR')
})
