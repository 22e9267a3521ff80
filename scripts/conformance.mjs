// Runs the official conformance suite of the Model Context Protocol against the tool server and says, scenario by
// scenario, what passed. Exits 1 when a scenario that a revision requires fails. See docs/conformance.md.
//
//   npm run conformance                        everything
//   npm run conformance -- --revision 2026-07-28 --verbose
import { parseArgs } from 'node:util'
import { createViteServer } from 'vitest/node'
import { installSuite } from './conformance/install-suite.mjs'
import { runSuite } from './conformance/run-suite.mjs'
import { verdictOf } from './conformance/verdict.mjs'

// What only an answer that is a stream can carry: the fixture logs, reports progress or asks back before it answers.
const NEEDS_STREAM = [
  'tools-call-with-logging',
  'tools-call-with-progress',
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
]

// In production an answer in a session is one JSON body, since no tool of ours says anything before it. So the older
// revision is checked both ways: all of it with streams, and all that is possible as it is in production.
const RUNS = [
  { revision: '2025-11-25', answers: 'streams', streamedAnswers: true, needsStream: [] },
  { revision: '2025-11-25', answers: 'JSON (production)', streamedAnswers: false, needsStream: NEEDS_STREAM },
  { revision: '2026-07-28', answers: 'the client asks (production)', streamedAnswers: false, needsStream: [] },
]

const { values: options } = parseArgs({
  options: { revision: { type: 'string' }, verbose: { type: 'boolean', default: false } },
})
const runs = RUNS.filter(run => options.revision === undefined || run.revision === options.revision)
if (runs.length === 0) throw new Error(`There is no run for the revision ${options.revision}`)

// The server under test and its fixture are TypeScript; the test runner's loader reads it.
const vite = await createViteServer({
  configFile: false,
  appType: 'custom',
  logLevel: 'error',
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
})
const suite = await installSuite()
try {
  const { startConformanceServer } = await vite.ssrLoadModule('/test/conformance/start-conformance-server.ts')
  let failures = 0
  for (const run of runs) failures += await check(run, startConformanceServer)
  console.log(failures === 0 ? 'Every scored scenario passed.' : `${failures} scored scenarios failed.`)
  process.exitCode = failures === 0 ? 0 : 1
} finally {
  await suite.remove()
  await vite.close()
}

/** Runs one revision against a fresh server, prints its table, and returns how many scored scenarios failed. */
async function check({ revision, answers, streamedAnswers, needsStream }, startConformanceServer) {
  const server = await startConformanceServer({ streamedAnswers })
  try {
    const { scenarios, text } = await runSuite(suite, `${server.url}/mcp`, revision)
    const rows = scenarios.map(one => ({ ...one, verdict: verdictOf(one, new Set(needsStream)) }))
    const count = verdict => rows.filter(row => row.verdict === verdict).length
    const [passed, failed] = [count('passed'), count('FAILED')]
    if (options.verbose) console.log(text)
    console.log(`Revision ${revision}, answers as ${answers}`)
    for (const row of rows) {
      const checks = `${row.passed} of ${row.passed + row.failed}`
      console.log(`  ${row.name.padEnd(48)}${checks.padEnd(11)}${row.verdict}`)
    }
    console.log(`${passed} passed, ${failed} failed, ${rows.length - passed - failed} not scored or not applicable\n`)
    return failed
  } finally {
    await server.close()
  }
}
