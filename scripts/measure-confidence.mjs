/**
 * Writes rubrics/measured/: how often each signal of a built-in rubric is right, as measured on labelled calls. Of support-calls these are
 * calls that may be tuned to; of sales-calls, for the signals it has alone, those it was tuned to and others it never was. `npm run evaluation:confidence`, after a change of the rubric; the build takes it in.
 *
 * The calls of support-calls were strangers' when it was first measured, and are tuned to since: what is right of them now is more than
 * what is right of others. So a share that was kept before only ever falls; a signal that has none yet gets what is measured.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { format } from 'oxfmt'
import { stringify } from 'yaml'
import { fitConfidence, findsOf } from '../dist-bench/bench/evaluation/calibration.js'
import { salesCalls, tunedCalls } from '../dist-bench/bench/evaluation/labelled-calls.js'
import { readTradeCalls } from '../dist-bench/bench/evaluation/trade-calls.js'
import { builtInRubrics, defaultRubric } from '../dist/evaluation/rubric/built-in-rubrics.js'
import { readGold } from './measure-gold.mjs'

const HEAD =
  name => `# How often each signal of ${name} is right: the share of labelled calls in which a person says the same. Written by
# "npm run evaluation:confidence"; docs/evaluation.md says what it means.
`
const own = new Set(defaultRubric.rubric.signals.map(({ key }) => key))
await write(
  'support-calls',
  tunedCalls({
    gold: readGold('test/evaluation/gold.ndjson'),
    trades: readTradeCalls('test/evaluation/trades.ndjson'),
  }),
  () => true,
  true,
)
await write(
  'sales-calls',
  salesCalls({
    tuned: readGold('test/evaluation/sales-gold.ndjson'),
    fresh: readGold('test/evaluation/sales-fresh.ndjson'),
  }),
  key => !own.has(key),
)

async function write(name, calls, isMeasured, isTunedTo = false) {
  const finds = findsOf(builtInRubrics.get(name).rubric, calls).filter(({ key }) => isMeasured(key))
  const kept = new Map(builtInRubrics.get(name).rubric.signals.map(({ key, confidence }) => [key, confidence]))
  const signals = Object.fromEntries(
    [...fitConfidence(finds)].map(([key, now]) => [key, isTunedTo ? noSurer(kept.get(key), now) : now]),
  )
  const file = `rubrics/measured/${name}.yaml`
  mkdirSync('rubrics/measured', { recursive: true })
  writeFileSync(file, (await format(file, HEAD(name) + stringify({ signals }, { lineWidth: 110 }))).code)
  console.log(`${file}: ${Object.keys(signals).length} signals; npm run build takes it in`)
}

/** What was measured before, where it is less than what is measured now. */
function noSurer(before, now) {
  if (before === undefined) return now
  const shares = ['present', 'usual', 'absent', 'unclear'].flatMap(state => {
    const known = [before[state], now[state]].filter(share => share !== undefined)
    return before[state] === undefined ? [] : [[state, Math.min(...known)]]
  })
  return { ...before, ...Object.fromEntries(shares) }
}
