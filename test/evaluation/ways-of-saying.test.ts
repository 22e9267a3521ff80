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
  escalation: opening,
  repeat_contact: opening,
  competitor_mentioned: opening,
  cancel_intent: opening,
  customer_frustrated: opening,
}

const cases = readFileSync(new URL('ways-of-saying.txt', import.meta.url), 'utf8')
  .split('\n\n@ ')
  .slice(1)
  .flatMap(group => {
    const [what = '', ...lines] = group.trim().split('\n')
    return lines.map(line => [what, line] as const)
  })

/** What a line is heard as: the reason for the call, or the state of the signal. */
function heard(what: string, line: string): string {
  const place = PLACES[what.slice(1)]
  const { fields } = rules.evaluate(aCall([...(place ?? opening)(line)]), new Date(0))
  if (place === undefined) return fields?.interaction_driver ?? 'null'
  return fields?.signals?.find(({ key }) => key === `sig.${what.slice(1)}`)?.state ?? 'absent'
}

describe('ways of saying it', () => {
  it('there are many', () => expect(cases.length).toBeGreaterThan(400))

  it.each(cases)('%s: %s', (what, line) => {
    expect(heard(what, line)).toBe(STATES[what.charAt(0)] ?? what)
  })
})
