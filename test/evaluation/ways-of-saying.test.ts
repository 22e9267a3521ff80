import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type LabelledSentence, readSentences } from '../../bench/evaluation/labelled-sentences.js'
import { defaultRubric } from '../../src/evaluation/rubric/built-in-rubrics.js'
import { RulesEvaluator } from '../../src/evaluation/rules/rules-evaluator.js'

const rules = new RulesEvaluator(defaultRubric)
const casesOf = (file: string) => readSentences(fileURLToPath(new URL(file, import.meta.url)))
const cases = casesOf('ways-of-saying.txt')
const heldOut = casesOf('ways-held-out.txt')

/** What a sentence is heard as, in the place of its label. */
function heard({ labels, call }: LabelledSentence): Record<string, string | null> {
  const { fields } = rules.evaluate(call, new Date(0))
  const found = Object.keys(labels).map(key => {
    if (key === 'driver') return [key, fields?.interaction_driver ?? null]
    return [key, fields?.signals?.find(signal => signal.key === key)?.state ?? 'absent']
  })
  return Object.fromEntries(found) as Record<string, string | null>
}

/** Shares of held-out lines that are heard as they have to be: what shows a signal or a reason, and what shows none. */
const SAID = 0.877
const UNSAID = 0.93

const isRight = (one: LabelledSentence) => JSON.stringify(heard(one)) === JSON.stringify(one.labels)
/** What says that a signal is not there, or that the reason is none the table has. */
const isNothing = ({ what }: LabelledSentence) => /^[-?]|^null$/.test(what)

describe('ways of saying it', () => {
  it('there are many', () => expect(cases.length).toBeGreaterThan(2_000))

  it.each(cases)('$id', one => {
    expect(heard(one)).toEqual(one.labels)
  })

  it('and most of lines the rules were never tuned to, as measured', () => {
    const said = heldOut.filter(one => !isNothing(one))
    const unsaid = heldOut.filter(one => isNothing(one))
    expect(said.filter(one => isRight(one)).length / said.length).toBeGreaterThanOrEqual(SAID)
    expect(unsaid.filter(one => isRight(one)).length / unsaid.length).toBeGreaterThanOrEqual(UNSAID)
    expect(heldOut.filter(({ line }) => cases.some(known => known.line === line))).toEqual([])
  })
})
