// Adds up the reports of Vitest and Playwright after `npm cit` ended with the status given as the argument, and names
// the unit tests that failed; Playwright has just named its own.
// Exits with that status, or with 1 when a test failed, a report is missing or no test ran at all.
import { readFileSync } from 'node:fs'

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

/** Once more at the very end, where nobody has to look for it. */
function tell(name, message = '') {
  console.log(`FAILED ${name}\n${message.slice(0, 2_000)}\n`)
}

function isFailed({ status }) {
  return status === 'failed'
}

function countPlaywright({ stats, errors }) {
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length }
}

function read({ file, count }) {
  try {
    return count(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    console.error(`No usable report in ${file}: ${error.message}`)
    // When the command failed, an earlier step (typecheck, lint, the other tests) is why; that is counted below.
    return { passed: 0, failed: status === 0 ? 1 : 0 }
  }
}

const counts = reports.map(read)
const passed = sum(counts.map(count => count.passed))
const failedTests = sum(counts.map(count => count.failed))
// A failed install, build, typecheck or lint, or an error outside any test, is a failure, too.
const failed = failedTests === 0 && status !== 0 ? 1 : failedTests

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}

if (passed + failed === 0) console.error('No test ran.')
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = status !== 0 ? status : failed > 0 || passed === 0 ? 1 : 0
