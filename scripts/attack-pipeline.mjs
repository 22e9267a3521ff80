/**
 * Runs expressions that raise only on rows out of scope, among as many such rows as told, with two threads:
 * `npm run attack:pipeline -- --rows 1000000`.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } })
const rows = Number(values.rows)
if (!Number.isInteger(rows) || rows < 1) {
  console.error('--rows takes a whole number from 1')
  process.exit(2)
}
const { status } = spawnSync('npx', ['vitest', 'run', 'test/pipeline/attack-at-scale.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, ATTACK_ROWS: String(rows) },
})
process.exit(status ?? 1)
