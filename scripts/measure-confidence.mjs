/**
 * Writes rubrics/measured/support-calls.yaml: how often each signal of the default rubric is right, as measured on the labelled
 * calls that may be tuned to. `npm run evaluation:confidence`, after a change of the rubric; the build takes it in.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { format } from 'oxfmt'
import { stringify } from 'yaml'
import { fitConfidence, findsOf } from '../dist-bench/bench/evaluation/calibration.js'
import { tunedCalls } from '../dist-bench/bench/evaluation/labelled-calls.js'
import { readTradeCalls } from '../dist-bench/bench/evaluation/trade-calls.js'
import { defaultRubric } from '../dist/evaluation/rubric/built-in-rubrics.js'
import { readGold } from './measure-gold.mjs'

const FILE = 'rubrics/measured/support-calls.yaml'
const HEAD = `# How often each signal of support-calls is right: the share of labelled calls in which a person says the same. Written by
# "npm run evaluation:confidence", of calls that the rules may be tuned to; docs/evaluation.md says what it means.
`
const written = {
  gold: readGold('test/evaluation/gold.ndjson'),
  trades: readTradeCalls('test/evaluation/trades.ndjson'),
}
const signals = Object.fromEntries(fitConfidence(findsOf(defaultRubric.rubric, tunedCalls(written))))
mkdirSync('rubrics/measured', { recursive: true })
writeFileSync(FILE, (await format(FILE, HEAD + stringify({ signals }, { lineWidth: 110 }))).code)
console.log(`${FILE}: ${Object.keys(signals).length} signals; npm run build takes it in`)
