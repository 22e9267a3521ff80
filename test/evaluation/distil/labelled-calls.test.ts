import { expect, it } from 'vitest'
import { readGold } from '../../../scripts/measure-gold.mjs'
import { untouchedCalls } from '../../../bench/evaluation/labelled-calls.js'
import { tryOpinions } from '../../../bench/evaluation/second-opinions.js'
import { readTradeCalls } from '../../../bench/evaluation/trade-calls.js'
import { defaultRubric } from '../../../src/evaluation/rubric/built-in-rubrics.js'

const untouched = untouchedCalls({
  gold: readGold('test/evaluation/gold.ndjson'),
  trades: readTradeCalls('test/evaluation/trades.ndjson'),
})

/** Kappa with labels of calls it was not learnt from, as measured (docs/evaluation-report.md): it may get better, not worse. */
it('of calls nobody tunes to learns what is said in few ways, and leaves the rest to the rules', () => {
  const keys = ['sig.help_offered', 'sig.further_help_offered', 'sig.willingness_shown']
  const [help, further, willing] = tryOpinions(defaultRubric, [...untouched.gold, ...untouched.trades], keys)
  expect(help!.trial.kappa).toBeGreaterThan(0.93)
  expect(further!.trial.kappa).toBeGreaterThan(0.92)
  expect(willing!.unused).toMatch(/^Its kappa with labels is/)
})
