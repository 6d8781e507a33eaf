// Keeps databases, uploads and browser profiles of tests in memory if there is plenty of it: on the disks of rented
// machines, copying the empty database takes half a second instead of 30 ms.
import { accessSync, constants, mkdirSync, statfsSync } from 'node:fs'

const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 4 * 2 ** 30

if (!process.env.TMPDIR && hasRoom()) {
  process.env.TMPDIR = `${MEMORY}/skein-tests-${process.getuid()}`
  mkdirSync(process.env.TMPDIR, { recursive: true })
}

function hasRoom() {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize > ENOUGH_BYTES
  } catch {
    return false
  }
}
