import { join } from 'node:path'
import { outputOf } from './output-of.mjs'

/** Milliseconds for one scenario; the slowest that passes takes one second. */
const SCENARIO_MS = '10000'

const RESULT = /^[✓✗] (\S+): (\d+) passed, (\d+) failed$/gm
const NOT_SCORED = /^ {2}[✓✗] (\S+) \(([^)]+)\)$/gm

/**
 * Runs what one revision requires of a server.
 * @returns {Promise<{scenarios: {name: string, passed: number, failed: number, unscored: string | undefined}[], text: string}>}
 *   `unscored` is the suite's reason for not counting a scenario
 */
export async function runSuite(suite, url, revision) {
  const results = join(suite.folder, 'results', revision)
  const args = [
    suite.main,
    'server',
    '--url',
    url,
    '--requirements',
    revision,
    '--output-dir',
    results,
    '--timeout',
    SCENARIO_MS,
  ]
  const { text } = await outputOf(suite.node, args, suite.folder)
  const [, summary = ''] = text.split('=== SUMMARY ===')
  const unscored = new Map([...summary.matchAll(NOT_SCORED)].map(([, name, reason]) => [name, reason]))
  const scenarios = [...summary.matchAll(RESULT)].map(([, name, passed, failed]) => ({
    name,
    passed: Number(passed),
    failed: Number(failed),
    unscored: unscored.get(name),
  }))
  const announced = Number(/\((\d+) scenarios\)/.exec(text)?.[1] ?? 0)
  if (scenarios.length === 0 || scenarios.length !== announced) {
    throw new Error(`The suite did not run to its end for ${revision}:\n${text.slice(-4_000)}`)
  }
  return { scenarios, text }
}
