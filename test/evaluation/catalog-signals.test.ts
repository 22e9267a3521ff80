import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { backgroundCalls } from '../../bench/evaluation/background-calls.js'
import {
  chosenAlarms,
  chosenSignals,
  isUntouchedSentence,
  measureChosen,
  totalOf,
} from '../../bench/evaluation/chosen-signals.js'
import { readSentences } from '../../bench/evaluation/labelled-sentences.js'
import { builtInRubrics } from '../../src/evaluation/rubric/built-in-rubrics.js'
import { builtInSignals } from '../../src/evaluation/rubric/rubric-catalogs.js'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const sentences = readSentences(path('catalog-ways.txt'))

/** Said in the ordinary calls of their trade, so that the background shows them rightly. */
const ORDINARY = new Set(['sig.dietary_needs_asked', 'sig.excess_explained', 'sig.medication_checked'])
const BUDGET = 0.01
/** The groups a lead finds them in. */
const GROUPS = ['outcome', 'empathy', 'process', 'compliance', 'sales', 'churn', 'effort', 'escalation', 'safety']
const VERTICALS =
  'banking collections government healthcare hotels insurance legal restaurants retail sales telecom tickets travel utilities'

describe('signals that a project chooses', () => {
  it('are more than a hundred, in groups, each with a key of its own', () => {
    expect(chosenSignals.length).toBeGreaterThanOrEqual(100)
    expect([...new Set(chosenSignals.map(({ category }) => category))]).toEqual(GROUPS)
    const keys = [...builtInRubrics.values()].flatMap(({ rubric }) => rubric.signals.map(({ key }) => key))
    expect(chosenSignals.filter(({ key }) => keys.includes(key))).toEqual([])
    expect(builtInSignals.size).toBe(new Set([...keys, ...chosenSignals.map(({ key }) => key)]).size)
  })

  it('weigh nothing, and name lines of business by the words of the documentation', () => {
    expect(chosenSignals.filter(({ weight }) => weight > 0)).toEqual([])
    expect([...new Set(chosenSignals.flatMap(({ verticals }) => verticals))].toSorted().join(' ')).toBe(VERTICALS)
  })

  it('say of wording that is required or forbidden that it is', () => {
    const wording = chosenSignals.filter(({ description }) => /^(Required|Forbidden) wording/.test(description))
    expect(wording.length).toBeGreaterThan(20)
    const forbidden = wording.filter(({ description }) => description.startsWith('Forbidden'))
    expect(wording.filter(({ negative }) => negative)).toEqual(forbidden)
  })

  it.each(chosenSignals)('have sentences that show them and some that do not, in both halves: $key', ({ key }) => {
    const of = (sign: string) => sentences.filter(({ what }) => what === key.replace('sig.', sign))
    expect(of('+').length).toBeGreaterThanOrEqual(5)
    expect(of('-').length).toBeGreaterThanOrEqual(4)
    expect(new Set(of('+').map(one => isUntouchedSentence(one))).size).toBe(2)
  })

  it('are heard in every sentence they were tuned to', () => {
    expect(measureChosen(sentences.filter(one => !isUntouchedSentence(one))).wrong).toEqual([])
  })

  it('and in nearly all of the others, as measured', () => {
    const { hit, missed, extra } = totalOf(
      measureChosen(sentences.filter(one => isUntouchedSentence(one))).bySignal.values(),
    )
    expect(hit / (hit + missed)).toBeGreaterThanOrEqual(0.99)
    expect(hit / (hit + extra)).toBeGreaterThanOrEqual(0.99)
  })

  it('are silent in ordinary calls of ten trades, but for one in a hundred', () => {
    const calls = backgroundCalls(path('background.txt'), 800)
    const alarms = [...chosenAlarms(calls)]
    expect(alarms.filter(([key, count]) => !ORDINARY.has(key) && count / calls.length > BUDGET)).toEqual([])
  })
})
