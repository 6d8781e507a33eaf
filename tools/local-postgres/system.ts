import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'

export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM means that the process is running and belongs to somebody else.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return processStat(pid)?.[0] !== 'Z'
}

export function startOf(pid: number): string {
  if (process.platform === 'linux')
    return `${readText('/proc/sys/kernel/random/boot_id')?.trim()} ${processStat(pid)?.[19]}`
  if (process.platform === 'win32') return ''
  return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? ''
}

/** The fields of /proc/<pid>/stat after the command, which may itself hold spaces: state first, start time twentieth. */
function processStat(pid: number): string[] | undefined {
  const text = process.platform === 'linux' ? readText(`/proc/${pid}/stat`) : undefined
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')
}

export function commandOf(pid: number): string {
  if (process.platform === 'linux') return readText(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? ''
  if (process.platform === 'win32')
    return (
      spawnSync('tasklist', ['/fo', 'csv', '/nh', '/fi', `PID eq ${pid}`], { encoding: 'utf8', windowsHide: true })
        .stdout ?? ''
    )
  return spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

export function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
