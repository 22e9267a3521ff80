import { describe, expect, it } from 'vitest'
import { callRecord, type CallRecord } from '../../../src/calls/call-record.js'
import { cappedBy } from '../../../src/evaluation/capped-by.js'
import { applyEvaluation } from '../../../src/evaluation/apply-evaluation.js'
import { defaultRubric } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import { RulesEvaluator } from '../../../src/evaluation/rules/rules-evaluator.js'
import { aCall } from '../a-call.js'

const rules = new RulesEvaluator(defaultRubric)
const AT = new Date('2026-03-02T08:00:00.000Z')

const goodCall = aCall(
  [
    'a: Good morning, thank you for calling Northwind Bank, my name is Ana. How can I help you today?',
    'c: Hi, I lost my debit card yesterday and I am quite worried.',
    'a: I am so sorry to hear that. Of course, I can help you with that. May I have your full name and date of birth?',
    'c: Maria Keller, the third of May 1980.',
    'a: Thank you. So that is the debit card, and you were born on the third of May 1980, correct?',
    'c: Yes.',
    'a: I have ordered a new card for you. You should receive it within five business days.',
    "c: Great, thank you so much, that's all.",
    'a: Is there anything else I can help you with?',
    'c: No.',
    'a: Thank you for calling, have a great day!',
  ],
  { session_metadata: { company_name: 'Northwind Bank' } },
)

function evaluated(call: CallRecord) {
  const { fields, none } = rules.evaluate(call, AT)
  if (fields === undefined) throw new Error(none)
  return fields
}

const states = (call: CallRecord) =>
  Object.fromEntries((evaluated(call).signals ?? []).map(({ key, state }) => [key.slice(4), state]))

describe('a good call', () => {
  const fields = evaluated(goodCall)

  it('scores high, by the sums of the rubric', () => {
    expect(fields.score).toBe(5)
    expect(fields.predicted_csat).toBe(5)
    expect(fields.scores?.map(({ key, value }) => [key, value])).toEqual([
      ['opening', 5],
      ['listening', 5],
      ['process', 5],
      ['courtesy', 5],
      ['resolution', 5],
      ['closing', 5],
    ])
  })

  it('shows its signals, each quoted verbatim from a turn', () => {
    expect(states(goodCall)).toMatchObject({
      greeting_given: 'present',
      brand_named: 'present',
      agent_named: 'present',
      help_offered: 'present',
      reason_captured: 'present',
      details_read_back: 'present',
      repeat_requested: 'absent',
      identity_verified: 'present',
      empathy_shown: 'present',
      willingness_shown: 'present',
      resolution_stated: 'present',
      customer_confirms: 'present',
      next_step_given: 'present',
      further_help_offered: 'present',
      closing_courtesy: 'present',
    })
    for (const { evidence } of fields.signals ?? []) {
      for (const { turn, quote } of evidence ?? []) expect(goodCall.transcript?.[turn]?.text).toContain(quote)
    }
  })

  it('has its driver, its conditions and its evaluation', () => {
    expect(fields.interaction_driver).toBe('replace card')
    expect(fields.conditions).toContainEqual({ key: 'driver.found', turn: 1, text: 'lost my debit card' })
    expect(fields.conditions).toContainEqual({ key: 'csat.start', text: '3.2' })
    expect(fields.evaluation).toEqual({
      evaluator: 'rules',
      rubric: 'support-calls',
      rubric_version: defaultRubric.version,
      evaluated_at: '2026-03-02T08:00:00.000Z',
    })
    expect(fields.trust).toEqual({ level: 'high', score: 1, reasons: [] })
  })

  it('is a valid record, and evaluating it again changes nothing', () => {
    const once = applyEvaluation(goodCall, fields)
    expect(callRecord.parse(once)).toEqual(once)
    expect(applyEvaluation(once, evaluated(once))).toEqual(once)
  })
})

it('says why there is no evaluation', () => {
  expect(rules.evaluate(aCall([]), AT)).toEqual({ none: 'The call has no transcript' })
  expect(rules.evaluate(aCall(['a: [noise]', 'c: <unk>']), AT)).toEqual({
    none: 'Nothing the agent or the customer said can be understood in the transcript',
  })
})

it('does not score a call in another language on words it cannot read', () => {
  const fields = evaluated(
    aCall(
      [
        'a@1-4: Bonjour, Anna à l’appareil, que puis-je faire pour vous ?',
        'c@5-9: J’ai perdu ma carte et il m’en faut une nouvelle.',
        'a@25-28: Je vous ai commandé une nouvelle carte.',
        'c@29-30: Merci beaucoup, au revoir.',
      ],
      { language_primary: 'fr-FR' },
    ),
  )
  expect(fields.score).toBeUndefined()
  expect(fields.predicted_csat).toBeUndefined()
  expect(fields.signals?.map(({ key, state }) => [key, state])).toEqual([
    ['sig.agent_interrupts', 'absent'],
    // Whether the wait was announced can't be read.
    ['sig.dead_air', 'unclear'],
    ['sig.long_silence_share', 'present'],
  ])
  expect(fields.trust?.level).toBe('low')
  expect(fields.trust?.reasons?.[0]).toContain('another language (fr)')
})

describe('a call in a language that the rubric is built in for', () => {
  const german = aCall(
    [
      'a@1-4: Guten Tag, mein Name ist Anna, wie kann ich Ihnen helfen?',
      'c@5-9: Ich habe meine Karte verloren und brauche eine neue.',
      'a@10-13: Das tut mir leid. Ich habe Ihnen eine neue Karte bestellt.',
      'c@14-15: Vielen Dank, auf Wiederhören.',
    ],
    { language_primary: 'de-DE' },
  )

  it('is read by its words, and says so', () => {
    const fields = evaluated(german)
    expect(fields).toMatchObject({ interaction_driver: 'replace card', evaluation: { rubric: 'support-calls' } })
    expect(fields.score).toBeGreaterThan(3)
    expect(fields.conditions).toContainEqual({ key: 'rubric.language', text: 'de, by support-calls-de' })
    expect(fields.coaching_summary).toContain('Das lief gut:')
  })

  it('is so where the record does not say its language', () => {
    const { language_primary: _, ...undeclared } = german
    const { evaluation: _first, ...fields } = evaluated(german)
    const { evaluation: _second, ...others } = evaluated(undeclared)
    expect(others).toEqual(fields)
  })

  it('is not where the record says another one', () => {
    const fields = evaluated({ ...german, language_primary: 'en' })
    expect(fields.score).toBeUndefined()
    expect(fields.trust?.reasons?.[0]).toContain('The record says en, but its words look like another language (de)')
  })
})

describe('what caps the score', () => {
  const rude = aCall([
    'a: Good morning, thank you for calling Northwind Bank, my name is Ana. How can I help you today?',
    'c: Hi, I want to check my balance.',
    "a: Of course. Your balance is two hundred dollars, and that's hardly my problem, is it? Don't be stupid.",
    "c: Great, thank you so much, that's all.",
    'a: Is there anything else I can help you with? Thank you for calling, have a great day!',
  ])
  const fields = evaluated(rude)

  it('is told with the turn and what was said there', () => {
    expect(fields.score).toBe(1)
    expect(cappedBy(fields.conditions)).toEqual({
      key: 'rude',
      reason: 'the agent was rude',
      turn: 2,
      quote: expect.stringMatching(/problem|stupid/) as string,
    })
    expect(rude.transcript?.[2]?.text).toContain(cappedBy(fields.conditions)?.quote)
  })

  it('makes the customer less satisfied, too, and the call no success for outcome lift', () => {
    expect(fields.predicted_csat).toBeLessThan(3.5)
    expect(fields.conditions).toContainEqual({ key: 'csat.rude', text: '-2: treated rudely' })
  })

  it('is not told where nothing does, or the dimensions come to less', () => {
    expect(cappedBy(evaluated(goodCall).conditions)).toBeUndefined()
    expect(cappedBy([{ key: 'cap.refused', text: 'at most 3: the matter was refused' }])).toBeUndefined()
    expect(cappedBy(undefined)).toBeUndefined()
  })
})
