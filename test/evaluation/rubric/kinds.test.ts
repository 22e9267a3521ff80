import { describe, expect, it } from 'vitest'
import type { CallRecord } from '../../../src/calls/call-record.js'
import { ModelReading } from '../../../src/evaluation/model/model-reading.js'
import { builtInRubrics, extendableRubrics } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import { diffRubrics } from '../../../src/evaluation/rubric/diff-rubrics.js'
import { evaluationHash } from '../../../src/evaluation/rubric/evaluation-version.js'
import { kindOfCall } from '../../../src/evaluation/rubric/kind-of-call.js'
import { parseRubric } from '../../../src/evaluation/rubric/parse-rubric.js'
import { rubricCatalogs } from '../../../src/evaluation/rubric/rubric-catalogs.js'
import { scoringBy, scoringOf } from '../../../src/evaluation/rubric/scoring.js'
import { withVerticals } from '../../../src/evaluation/rubric/signal-catalogs.js'
import { RulesEvaluator } from '../../../src/evaluation/rules/rules-evaluator.js'
import { aCall } from '../a-call.js'

const text = (kinds: string) => `extends: support-calls
name: shop
title: Shop
kinds:
${kinds}`
const read = (kinds: string) => parseRubric(text(kinds), extendableRubrics)
/** Quicker to check. */
const small = (kinds: string) =>
  parseRubric(
    `name: shop
title: Shop
language: en
dimensions: [{ key: opening, name: Opening, weight: 1 }]
signals: [{ key: sig.hello, name: Hello, description: Says hello., category: opening, present: { say: { by: agent, any: [hello] } } }]
kinds:
${kinds}`,
    extendableRubrics,
  )
const shop = read(`  - key: sales
    when: { metadata: { queue: [Sales, renewals] }, direction: [outbound] }
    rubric: sales-calls
  - key: welcome
    when: { driver: [new customer] }
    rubric:
      extends: support-calls
      name: welcome
      title: Welcome calls
      take: [sig.survey_announced]
      signals: [{ key: sig.survey_announced, category: closing, weight: 9 }]`)

const lines = [
  'a: Hello, Acme, Ana speaking.',
  'c: Hi, I forgot my password.',
  "a: I've reset it, you'll get a short survey.",
]
const call = (fields: Partial<CallRecord> = {}) => aCall(lines, fields)
const selling = { interaction_direction: 'outbound', session_metadata: { queue: 'SALES' } } as const

describe('kinds of calls', () => {
  const rules = new RulesEvaluator({ rubric: shop, version: 'project-1+abc' })
  const evaluated = (fields?: Partial<CallRecord>) => rules.evaluate(call(fields), new Date(0)).fields!

  it('are read by the rubric of the first that fits, all others by the project’s', () => {
    expect(evaluated().evaluation).toMatchObject({ rubric: 'shop', rubric_version: 'project-1+abc' })
    expect(evaluated(selling).evaluation).toMatchObject({ rubric: 'sales-calls', rubric_version: 'project-1+abc' })
    expect(evaluated({ interaction_driver: 'New customer' }).evaluation?.rubric).toBe('welcome')
    const states = (fields?: Partial<CallRecord>) => evaluated(fields).signals!.map(({ key }) => key)
    expect(states()).not.toContain('sig.survey_announced')
    expect(states({ interaction_driver: 'New customer' })).toContain('sig.survey_announced')
    expect(states(selling)).toContain('sig.purpose_stated')
  })

  it('are not scored in a language that their rubric does not have, whatever the project’s own has', () => {
    const others = [{ ...builtInRubrics.get('support-calls-de')!.rubric, name: 'shop-de' }]
    const inGerman = new RulesEvaluator({ rubric: shop, version: 'v', others })
    const german = [
      'a: Guten Tag, Firma Acme, Ana am Apparat.',
      'c: Ich habe mein Passwort vergessen.',
      'a: Das richte ich Ihnen gleich ein.',
    ]
    const conditions = (fields: Partial<CallRecord>) =>
      inGerman
        .evaluate(aCall(german, { language_primary: 'de', ...fields }), new Date(0))
        .fields!.conditions?.map(one => one.key)
    expect(conditions({})).toContain('rubric.language')
    expect(conditions(selling) ?? []).not.toContain('rubric.language')
  })

  it('are told by all that is said of them', () => {
    const kind = (fields: Partial<CallRecord>) => kindOfCall(shop.kinds!, call(fields))?.key
    expect(kind({ session_metadata: { queue: 'sales' } })).toBeUndefined()
    expect(kind({ ...selling, interaction_driver: 'new customer' })).toBe('sales')
    expect(kind({ ...selling, session_metadata: { queue: 'other' } })).toBeUndefined()
    const [mail] = small(
      '  - { key: mail, when: { channel: [email], metadata: { level: [2], vip: [true] } }, rubric: sales-calls }',
    ).kinds!
    expect(kindOfCall([mail!], call({ channel: 'email', session_metadata: { level: 2, vip: true } }))).toBe(mail)
    expect(kindOfCall([mail!], call({ channel: 'email', session_metadata: { level: 2 } }))).toBeUndefined()
  })

  it('stay of their kind when they are evaluated again, whatever reason the rules have found', () => {
    const first = evaluated()
    const again = rules.evaluate(Object.assign(call(), first), new Date(0)).fields!
    expect(again).toEqual(first)
  })

  it('are asked of a model by their own rubric', async () => {
    const reading = new ModelReading({ rubric: shop, version: '1' })
    const endpoint = { kind: 'openai', url: 'http://x', name: 'm', temperature: 0, schema: true } as const
    const asked = (fields: Partial<CallRecord>) => {
      const prepared = reading.prepare(JSON.stringify(call(fields)), endpoint)
      return prepared.none === undefined ? prepared.question!.request.system : ''
    }
    expect(asked({})).not.toContain('sig.purpose_stated')
    expect(asked(selling)).toContain('sig.purpose_stated')
    const concluded = await reading.conclude(JSON.stringify(call(selling)), 0, 'm', undefined)
    expect(JSON.stringify(concluded)).toContain('sales-calls')
  })

  it('have their signals in the catalog, their weights in the scoring, and those of the lines of business', () => {
    expect(rubricCatalogs(shop).signals.get('sig.purpose_stated')).toMatchObject({ category: 'opening', active: true })
    const scoring = scoringOf({ rubric: shop, version: '1' }, [])
    expect(scoring.kinds?.map(({ key, rubric }) => [key, rubric])).toEqual([
      ['sales', 'sales-calls'],
      ['welcome', 'welcome'],
    ])
    const weightIn = (rubric: string) =>
      scoringBy(scoring, rubric)!.signals.find(({ key }) => key === 'sig.survey_announced')?.weight
    expect([weightIn('shop'), weightIn('welcome')]).toEqual([undefined, 9])
    const bank = withVerticals(shop, ['banking'])
    for (const { signals } of [bank, ...bank.kinds!.map(({ rubric }) => rubric)])
      expect(signals.map(({ key }) => key)).toContain('sig.fraud_block_placed')
  })

  it('make another version, and their changes are told', () => {
    const other = small('  - { key: sales, when: { direction: [outbound] }, rubric: sales-calls }')
    expect(evaluationHash(other)).not.toBe(evaluationHash(shop))
    expect(diffRubrics(other, shop).map(({ where }) => where)).toContain('kinds sales when metadata')
  })

  it.each([
    [
      '  - { key: sales, when: {}, rubric: sales-calls }',
      /Line 7, column \d+: .*must name direction, channel, driver or metadata/,
    ],
    ['  - { key: sales, when: { direction: [up] }, rubric: sales-calls }', /Line 7.*direction/],
    [
      '  - { key: sales, when: { direction: [inbound] }, rubric: sale }',
      /Line 7.*must be one of support-calls, sales-calls.*not "sale"/,
    ],
    ['  - { key: sales, when: { direction: [inbound] } }', /Line 7.*rubric/],
    [
      '  - { key: a, when: { direction: [inbound] }, rubric: sales-calls }\n  - { key: a, when: { channel: [chat] }, rubric: support-calls }',
      /is there twice: a/,
    ],
    [
      '  - { key: a, when: { direction: [inbound] }, rubric: { extends: sales-calls, name: shop } }',
      /Line 7.*is the name of another rubric of this project too \(shop\)/,
    ],
    [
      '  - key: a\n    when: { direction: [inbound] }\n    rubric:\n      extends: sales-calls\n      signals: [{ key: sig.price_stated, weight: 400 }]',
      /Line 11, column \d+: .*weight/,
    ],
    ['  - { key: a, when: { direction: [inbound] }, rubric: { extends: sales-calls, name: x, kinds: [] } }', /kinds/],
  ])('are refused where they are wrong: %s', (kinds, message) => {
    expect(() => small(kinds)).toThrow(message)
  })
})
