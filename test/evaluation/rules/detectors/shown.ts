import { expect, test } from 'vitest'
import type { CallRecord } from '../../../../src/calls/call-record.js'
import { rubric, type RubricInput } from '../../../../src/evaluation/rubric/rubric.js'
import { RulesEvaluator } from '../../../../src/evaluation/rules/rules-evaluator.js'
import { aCall } from '../../a-call.js'

type Detection = Pick<RubricInput['signals'][number], 'present' | 'applies' | 'unclear' | 'absent'>
type State = 'present' | 'absent' | 'unclear' | 'does not apply'

/** What happens, what is detected, the call (as aCall takes it), and what it shows: a state, or the quotes that show it. */
export type Case = readonly [
  what: string,
  detection: Detection,
  lines: readonly string[],
  shown: State | readonly string[],
  fields?: Partial<CallRecord>,
]

const entry = { name: 'Name', description: 'What it is.', category: 'test', weight: 1 }

/** What a call shows of one signal, in a rubric that has little else. */
function shown(detection: Detection, lines: readonly string[], fields: Partial<CallRecord> = {}) {
  const read = rubric.parse({
    name: 'cases',
    title: 'Cases',
    language: 'en',
    dimensions: [{ key: 'test', name: 'Test', weight: 1 }],
    lists: { hold: ['bear with me', 'one moment'] },
    backchannels: ['(mhm|okay|i see)'],
    drivers: {
      turns: 2,
      table: [
        { driver: 'refund', any: ['refund'] },
        { driver: 'order', any: ['order'] },
      ],
    },
    signals: [
      { ...entry, key: 'sig.hello', present: { say: { by: 'agent', any: ['hello'] } } },
      { ...entry, key: 'sig.case', ...detection },
    ],
  } satisfies RubricInput)
  const { fields: found, none } = new RulesEvaluator({ rubric: read, version: '1' }).evaluate(
    aCall(lines, { language_primary: 'en', ...fields }),
    new Date(0),
  )
  if (found === undefined) throw new Error(none)
  return found.signals?.find(({ key }) => key === 'sig.case')
}

/** A table of cases, each a test. */
export function cases(table: readonly Case[]): void {
  test.each(table.map(one => ({ what: one[0], one })))('$what', ({ one }) => {
    const [, detection, lines, expected, fields] = one
    const found = shown(detection, lines, fields)
    const state = found?.state ?? 'does not apply'
    const quotes = state === 'present' ? found?.evidence?.map(({ quote }) => quote) : state
    expect(typeof expected === 'string' ? state : quotes).toEqual(expected)
  })
}
