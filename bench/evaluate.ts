/**
 * How many calls of 18 turns a second the rules evaluate on one core: `npm run bench:evaluate`.
 * CPU time, not wall time, so that a busy machine says the same; the least of several rounds.
 */
import type { CallRecord } from '../src/calls/call-record.js'
import { builtInRubrics } from '../src/evaluation/rubric/built-in-rubrics.js'
import { RulesEvaluator } from '../src/evaluation/rules/rules-evaluator.js'
import { generateCalls } from '../src/demo/generate-calls.js'

const CALLS = 3_000
const TURNS = 18
const ROUNDS = 7
const AT = new Date('2026-03-01T00:00:00Z')

/** Generated calls cut or continued to 18 turns. */
function callsOf(count: number): readonly CallRecord[] {
  const calls: CallRecord[] = []
  for (const line of generateCalls({ calls: count, seed: 7, end: AT }).lines) {
    const call = JSON.parse(line) as CallRecord
    const said = call.transcript ?? []
    const transcript = Array.from({ length: TURNS }, (_, turn) => ({ ...said[turn % said.length]!, turn }))
    calls.push({ ...call, transcript })
  }
  return calls
}

const calls = callsOf(CALLS)
for (const { rubric, version } of builtInRubrics.values()) {
  // The calls are English.
  if (rubric.language !== 'en') continue
  const rules = new RulesEvaluator({ rubric, version })
  let least = Infinity
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage()
    for (const call of calls) rules.evaluate(call, AT)
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1e6)
  }
  const rate = Math.round(CALLS / least)
  console.log(
    `${rubric.name}: ${rate} calls/s a core, ${((least / CALLS) * 1e6).toFixed(0)} µs a call of ${TURNS} turns`,
  )
}
