import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { defaultRubric } from '../../src/evaluation/rubric/built-in-rubrics.js'
import { RulesEvaluator } from '../../src/evaluation/rules/rules-evaluator.js'
import { aCall } from './a-call.js'

const rules = new RulesEvaluator(defaultRubric)
const STATES: Readonly<Record<string, string>> = { '+': 'present', '-': 'absent', '?': 'unclear' }

/** Calls in which a line is said where its signal is looked for. */
const answer = (line: string) => ['a: Hello.', 'c: My internet is not working.', `a: ${line}`]
const opening = (line: string) => ['a: Hello.', `c: ${line}`, 'a: Okay.']
const PLACES: Readonly<Record<string, (line: string) => readonly string[]>> = {
  willingness_shown: line => ['a: Hello.', 'c: I want to check my balance.', `a: ${line}`],
  empathy_shown: answer,
  resolution_stated: answer,
  next_step_given: answer,
  customer_confirms: line => [
    'a: Hello.',
    'c: My internet is not working.',
    'a: I have reset the line, it is done.',
    `c: ${line}`,
  ],
  hold_requested: answer,
  further_help_offered: answer,
  callback_promised: answer,
  escalation: opening,
  repeat_contact: opening,
  competitor_mentioned: opening,
  cancel_intent: opening,
  customer_frustrated: opening,
}

/** What each line of a file has to be heard as, and the line. */
const casesOf = (file: string) =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n\n@ ')
    .slice(1)
    .flatMap(group => {
      const [what = '', ...lines] = group.trim().split('\n')
      return lines.map(line => [what, line] as const)
    })
const cases = casesOf('ways-of-saying.txt')
const heldOut = casesOf('ways-held-out.txt')

/** What a line is heard as: the reason for the call, or the state of the signal. */
function heard(what: string, line: string): string {
  const place = PLACES[what.slice(1)]
  const { fields } = rules.evaluate(aCall([...(place ?? opening)(line)]), new Date(0))
  if (place === undefined) return fields?.interaction_driver ?? 'null'
  return fields?.signals?.find(({ key }) => key === `sig.${what.slice(1)}`)?.state ?? 'absent'
}

/** Shares of held-out lines that are heard as they have to be: what shows a signal or a reason, and what shows none. */
const SAID = 0.877
const UNSAID = 0.93

const isRight = ([what, line]: readonly [string, string]) => heard(what, line) === (STATES[what.charAt(0)] ?? what)
/** What says that a signal is not there, or that the reason is none the table has. */
const isNothing = ([what]: readonly [string, string]) => /^[-?]|^null$/.test(what)

describe('ways of saying it', () => {
  it('there are many', () => expect(cases.length).toBeGreaterThan(2_000))

  it.each(cases)('%s: %s', (what, line) => {
    expect(heard(what, line)).toBe(STATES[what.charAt(0)] ?? what)
  })

  it('and most of lines the rules were never tuned to, as measured', () => {
    const said = heldOut.filter(one => !isNothing(one))
    const unsaid = heldOut.filter(one => isNothing(one))
    expect(said.filter(one => isRight(one)).length / said.length).toBeGreaterThanOrEqual(SAID)
    expect(unsaid.filter(one => isRight(one)).length / unsaid.length).toBeGreaterThanOrEqual(UNSAID)
    expect(heldOut.filter(([, line]) => cases.some(([, known]) => known === line))).toEqual([])
  })
})
