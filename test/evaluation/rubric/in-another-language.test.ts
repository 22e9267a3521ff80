import { describe, expect, it } from 'vitest'
import { extendableRubrics } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import { parseRubric } from '../../../src/evaluation/rubric/parse-rubric.js'
import { RulesEvaluator } from '../../../src/evaluation/rules/rules-evaluator.js'
import { aCall } from '../a-call.js'

const FRENCH = `extends: support-calls
name: support-calls-fr
title: Support calls in French
language: fr
lists:
  greeting: [bonjour, allô]
  help_offer: [que puis-je faire pour vous, en quoi puis-je vous aider]
  resolution: [c'est (réglé|fait)]
  refusal: [ce n'est pas possible]
  content: [merci]
  contested: [mais non]
drivers:
  table:
    - driver: technical problem
      any: [ne (marche|fonctionne) (pas|plus)]
`

describe('a rubric that extends one in another language', () => {
  const french = parseRubric(FRENCH, extendableRubrics)

  it('has the signals that it has words for, and those that need none', () => {
    expect(french.signals.map(({ key }) => key)).toEqual([
      'sig.greeting_given',
      'sig.help_offered',
      'sig.reason_captured',
      'sig.details_read_back',
      'sig.agent_interrupts',
      'sig.dead_air',
      'sig.long_silence_share',
      'sig.resolution_stated',
      'sig.customer_confirms',
    ])
    // What asks about others is left out with them.
    expect(french.guidance.map(({ key }) => key)).not.toContain('guide.warm_closing')
    expect(french.caps.map(({ key }) => key)).toEqual(['refused'])
    expect(french.drivers.table).toEqual([
      expect.objectContaining({ driver: 'technical problem', any: ['ne (marche|fonctionne) (pas|plus)'] }),
    ])
  })

  it('takes over no word, and nothing that was measured of words', () => {
    const told = JSON.stringify(french)
    expect(french.signals.filter(({ confidence }) => confidence !== undefined)).toEqual([])
    expect(Object.keys(french.lists)).toHaveLength(6)
    expect(told).not.toMatch(/\$(?!greeting|help_offer|resolution|refusal|content|contested)[a-z]/)
    expect(told).not.toContain('absolutely')
  })

  it('reads calls in it', () => {
    const call = aCall([
      "a: Bonjour, que puis-je faire pour vous aujourd'hui ?",
      'c: Bonjour, ma télé ne marche plus depuis hier soir.',
      'a: Voilà, votre télé est relancée, c’est réglé.',
      'c: Ah oui, merci beaucoup.',
    ])
    const { fields } = new RulesEvaluator({ rubric: french, version: '1' }).evaluate(
      { ...call, language_primary: 'fr' },
      new Date(0),
    )
    const present = fields?.signals?.filter(({ state }) => state === 'present').map(({ key }) => key)
    expect(present).toEqual([
      'sig.greeting_given',
      'sig.help_offered',
      'sig.reason_captured',
      'sig.resolution_stated',
      'sig.customer_confirms',
    ])
    expect(fields?.interaction_driver).toBe('technical problem')
  })

  it('is told where its own rules name what is not there', () => {
    const own = `${FRENCH}signals:
  - key: sig.own
    name: Own
    description: Of our own.
    category: opening
    present: { say: { by: agent, any: [$farewell] } }
`
    expect(() => parseRubric(own, extendableRubrics)).toThrow('names a list that is not there: $farewell')
  })
})
