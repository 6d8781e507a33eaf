import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createVitest, type Vitest } from 'vitest/node'
import { asWritten, guards, type Guard } from './guard-list.ts'
import { present } from '#schema/rules/present'

// `npm run guards`: removes every guard of the shop, one at a time and in a copy of the sources, and checks whether a test
// fails. A word after the command picks the guards whose file or text contains it.

const root = fileURLToPath(new URL('../../..', import.meta.url))
const COPIED = [
  'api',
  'schema',
  'storefront',
  'tools',
  'docs',
  'dist',
  '.ci',
  'package.json',
  'package-lock.json',
  'vite.config.ts',
  'vitest.config.ts',
  'codegen.ts',
  'README.md',
]

/** `caught`: a test failed. `missed`: none did. `broken`: no test ran, so the result is unknown. */
type Verdict = 'caught' | 'missed' | 'broken'

/** Runs the tests of one file, or those whose names match, and returns the verdict. */
async function run(vitest: Vitest, file: string, names: string): Promise<Verdict> {
  vitest.setGlobalTestNamePattern(names)
  const specifications = await vitest.globTestSpecifications([file])
  const { testModules } = await vitest.runTestSpecifications(specifications)
  const tests = testModules.flatMap(module => [...module.children.allTests()])
  if (tests.some(test => test.result().state === 'failed')) return 'caught'
  return testModules.every(module => module.ok()) && tests.some(test => test.result().state === 'passed')
    ? 'missed'
    : 'broken'
}

async function judge(vitest: Vitest, guard: Guard): Promise<Verdict> {
  const { file, replace, tests } = guard
  const path = join(vitest.config.root, file)
  const whole = await readFile(path, 'utf8')
  const put = async (text: string) => {
    await writeFile(path, text)
    vitest.invalidateFile(path)
  }
  await put(whole.replace(asWritten(guard), () => replace))
  try {
    let verdict: Verdict = 'missed'
    for (const test of tests) {
      const [testFile, ...names] = test.split(':')
      verdict = await run(vitest, present(testFile), names.join(':'))
      if (verdict !== 'missed') break
    }
    return verdict
  } finally {
    await put(whole)
  }
}

const wanted = process.argv[2] ?? ''
const chosen = guards().filter(({ file, find }) => `${file} ${find}`.includes(wanted))
const home = await mkdtemp(join(tmpdir(), 'skein-guards-'))
const counts: Record<Verdict, number> = { caught: 0, missed: 0, broken: 0 }
try {
  for (const name of COPIED) await cp(join(root, name), join(home, name), { recursive: true })
  await symlink(join(root, 'node_modules'), join(home, 'node_modules'))
  process.chdir(home)
  // One instance for all guards: it keeps what it has read and compiled, and one PostgreSQL.
  const vitest = await createVitest('test', { root: home, watch: false, project: ['api'], reporters: [{}], bail: 1 })
  try {
    for (const guard of chosen) {
      const verdict = await judge(vitest, guard)
      counts[verdict]++
      const decorator = /@Authorized.*$/m.exec(guard.find)?.[0]
      const what = decorator
        ? `${decorator} ${present(/(\w+)\($/.exec(guard.find))[1]}${guard.replace.includes('@Authorized') ? ', weakened' : ''}`
        : guard.find.trim()
      console.log(
        `${verdict.padEnd(6)} ${guard.file}: ${what}${verdict === 'caught' ? '' : `   (${guard.tests.join(', ')})`}`,
      )
    }
  } finally {
    await vitest.close()
  }
} finally {
  await rm(home, { recursive: true, force: true })
}
console.log(`\n${chosen.length} guards, ${counts.caught} caught, ${counts.missed + counts.broken} missed`)
process.exitCode = counts.caught === chosen.length ? 0 : 1
