// Adds up the reports of Vitest and Playwright after `npm cit` ended with the status given as the argument, and names
// the tests that failed.
// Exits with that status, or with 1 when a test failed, a report is missing or no test ran at all.
import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

const status = Number(process.argv[2])

const reports = [
  { file: 'test-results/vitest.json', count: countVitest },
  { file: 'test-results/e2e.json', count: countPlaywright },
]

function countVitest({ numPassedTests, numFailedTests, testResults }) {
  // A file that cannot be loaded has no tests to report as failed.
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some(isFailed),
  )
  for (const { name, message } of broken) tell(name, message)
  for (const { name, assertionResults } of testResults)
    for (const { fullName, failureMessages } of assertionResults.filter(isFailed))
      tell(`${name} › ${fullName}`, failureMessages[0])
  return { passed: numPassedTests, failed: numFailedTests + broken.length }
}

/** Repeats a failure at the very end, where it is easy to find, in few enough lines that several fit on a screen. */
function tell(name, message = '') {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => line.slice(0, 300))
  console.log([`FAILED ${name}`, ...lines.slice(0, 5), ''].join('\n'))
}

function isFailed({ status }) {
  return status === 'failed'
}

function countPlaywright({ suites, stats, errors }) {
  for (const { message } of errors) tell('outside any browser test', message)
  suites.forEach(tellFailedSpecs)
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length }
}

/** A test that timed out says where in its second error. */
function tellFailedSpecs({ suites = [], specs }) {
  for (const { file, line, title, tests } of specs)
    for (const { projectName, results } of tests.filter(({ status }) => status === 'unexpected'))
      tell(
        `[${projectName}] ${file}:${line} › ${title}`,
        results
          .at(-1)
          ?.errors.map(({ message }) => message)
          .join('\n'),
      )
  suites.forEach(tellFailedSpecs)
}

function read({ file, count }) {
  try {
    return count(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    console.error(`No usable report in ${file}: ${error.message}`)
    // When the command failed, an earlier step (typecheck, lint, the other tests) is the reason; that is counted below.
    return { passed: 0, failed: status === 0 ? 1 : 0 }
  }
}

const counts = reports.map(read)
const passed = sum(counts.map(count => count.passed))
const failedTests = sum(counts.map(count => count.failed))
// A failed install, build, typecheck or lint, or an error outside any test, is a failure too.
const failed = failedTests === 0 && status !== 0 ? 1 : failedTests

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}

if (passed + failed === 0) console.error('No test ran.')
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = status !== 0 ? status : failed > 0 || passed === 0 ? 1 : 0
