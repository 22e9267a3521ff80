/**
 * Compares the engine with the evaluator over random calls and pipelines for as long as told:
 * `npm run fuzz:pipeline -- --minutes 30`. Finds are printed and saved in fuzz-finds/.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '5' } } })
const minutes = Number(values.minutes)
if (!(minutes > 0)) {
  console.error('--minutes takes a number above 0')
  process.exit(2)
}
const { status } = spawnSync('npx', ['vitest', 'run', 'test/pipeline/agree.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_MINUTES: String(minutes) },
})
process.exit(status ?? 1)
