// Runs the tests and ends the output with one plain line, "N passed, N failed", counted from Vitest's own report.
// Arguments go through to Vitest: npm test -- test/pipeline
// With --quick (npm run test:quick) without what takes long; for while one works, never instead of all.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { matchingNothing } from './matching-nothing.mjs'

/** Left out by --quick: folders that start services, engines and models' servers, and files that try very much. */
const LONG = [
  'test/system/**',
  'test/store/**',
  'test/backup/**',
  'test/activity/recovery.test.ts',
  'test/admission/fair-threads.test.ts',
  'test/base/entry-file.test.ts',
  'test/cli/{check-node,doctor/doctor}.test.ts',
  'test/demo/{generate-calls,heard-by-rules}.test.ts',
  'test/evaluation/{lift,model,run}/**',
  'test/evaluation/rubric/{extend-rubric,parse-rubric}.test.ts',
  'test/evaluation/phrase-support.test.ts',
  'test/events/events.test.ts',
  'test/ingest/evaluate-on-import.test.ts',
  'test/ingest/knowledge/**',
  'test/mcp/rooms.test.ts',
  'test/operations/{ask-questions,import-calls,import-transcript,knowledge-base,read-in-bulk,webhooks}.test.ts',
  'test/packaging/image.test.ts',
  'test/pipeline/{agree,analysts,attack,attack-at-scale,order,second-reader,strangers,time-zones}.test.ts',
  'test/pipeline/rules/**',
  'test/questions/{answer-size,bad-arguments,detect-changes,future-calls,knowledge-by-meaning,project-numbers,witnesses}.test.ts',
  'test/questions/changes/read-panel.test.ts',
  'test/rest/{answer-type,connections,openapi}.test.ts',
  'test/statistics/promises.test.ts',
  'test/tasks/kinds.test.ts',
]

const unused = await matchingNothing(LONG)
if (unused.length > 0) throw new Error(`No test is called ${unused.join(', ')}, which --quick leaves out`)

const [, , ...given] = process.argv
const more = given.flatMap(one => (one === '--quick' ? LONG.flatMap(glob => ['--exclude', glob]) : [one]))
const scratch = await mkdtemp(join(tmpdir(), 'earshot-tests-'))
const report = join(scratch, 'report.json')
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
const child = spawn(process.execPath, [vitest, 'run', '--mode=built', ...reporters, ...more], {
  stdio: ['ignore', 'inherit', 'inherit'],
})
const [status, signal] = await once(child, 'exit')
if (signal !== null) console.log(`Vitest was ended by ${signal}`)
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
