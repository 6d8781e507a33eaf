// Runs both suites, the second one even if the first has failures, so that one run shows everything that is broken.
import { spawnSync } from 'node:child_process'

const statuses = ['vitest run', 'playwright test'].map(
  command => spawnSync(command, { shell: true, stdio: 'inherit' }).status,
)
process.exitCode = statuses.every(status => status === 0) ? 0 : 1
