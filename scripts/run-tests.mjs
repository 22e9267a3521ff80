// Runs the tests and ends the output with one plain line, "N passed, N failed", counted from Vitest's own report.
// Arguments go through to Vitest: npm test -- test/pipeline
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const scratch = await mkdtemp(join(tmpdir(), 'earshot-tests-'))
const report = join(scratch, 'report.json')
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...process.argv.slice(2)], {
  stdio: ['ignore', 'inherit', 'inherit'],
})
const [status] = await once(child, 'exit')
const { passed, failed } = await count(report)
await rm(scratch, { recursive: true, force: true })

// Vitest also fails for reasons that are no test: an unhandled rejection, a file that does not load.
const failures = failed === 0 && status !== 0 ? 1 : failed
console.log(`${passed} passed, ${failures} failed`)
process.exitCode = failures === 0 && passed > 0 ? 0 : 1

/** What ran, by Vitest's report; a file that failed before its first test counts as one failure. */
async function count(path) {
  let text
  try {
    text = await readFile(path, 'utf8')
  } catch {
    return { passed: 0, failed: 0 }
  }
  const { testResults, numPassedTests, numFailedTests } = JSON.parse(text)
  const unloaded = testResults.filter(
    file => file.status === 'failed' && !file.assertionResults.some(test => test.status === 'failed'),
  )
  return { passed: numPassedTests, failed: numFailedTests + unloaded.length }
}
