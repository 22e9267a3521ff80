import { describe, expect, it } from 'vitest'
import { projectCatalogs } from '../../../src/calls/catalogs.js'
import { defaultRubric, extendableRubrics } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import { evaluationVersion } from '../../../src/evaluation/rubric/evaluation-version.js'
import { parseRubric } from '../../../src/evaluation/rubric/parse-rubric.js'
import { signalCatalogs, withVerticals } from '../../../src/evaluation/rubric/signal-catalogs.js'
import { Rubrics } from '../../../src/evaluation/rubrics.js'
import { RulesEvaluator } from '../../../src/evaluation/rules/rules-evaluator.js'
import { aCall } from '../a-call.js'

const read = (text: string) => parseRubric(text, extendableRubrics)
const keysOf = ({ signals }: { readonly signals: readonly { readonly key: string }[] }) => signals.map(({ key }) => key)
const catalog = signalCatalogs.get('en')!
const own = keysOf(defaultRubric.rubric)
const shop = (more: string) => read(`extends: support-calls\nname: shop\ntitle: Shop\n${more}`)

describe('signals of the catalog', () => {
  it('are in no rubric that does not take them', () => {
    expect(keysOf(shop('take: []'))).toEqual(own)
    expect(withVerticals(defaultRubric.rubric, [])).toBe(defaultRubric.rubric)
    expect(withVerticals(defaultRubric.rubric, ['astronomy'])).toBe(defaultRubric.rubric)
  })

  it('are taken by group and by key, whatever the lines of business', () => {
    const churn = keysOf({ signals: catalog.filter(({ category }) => category === 'churn') })
    expect(keysOf(shop('take: [churn, sig.fee_waived]'))).toEqual([...own, 'sig.fee_waived', ...churn])
  })

  it('are found then, and change no score', () => {
    const call = aCall([
      'a: Hello, Acme, Ana speaking.',
      'c: My bill has gone up again.',
      "a: I've waived the fee for you.",
    ])
    const evaluated = (more: string) =>
      new RulesEvaluator({ rubric: shop(more), version: '1' }).evaluate(call, new Date(0))
    const before = evaluated('').fields!
    const after = evaluated('take: [churn, outcome]').fields!
    expect(after.score).toBe(before.score)
    expect(after.predicted_csat).toBe(before.predicted_csat)
    const shown = (fields: typeof before) =>
      fields.signals!.filter(({ state }) => state === 'present').map(({ key }) => key)
    const more = shown(after).filter(key => !shown(before).includes(key))
    expect(more).toEqual(['sig.fee_waived', 'sig.price_increase_complaint'])
  })

  it('may be changed by the rubric that takes them', () => {
    const { signals } = shop(
      'take: [churn]\nsignals:\n  - key: sig.save_offer_made\n    category: closing\n    weight: 2',
    )
    const changed = signals.find(({ key }) => key === 'sig.save_offer_made')
    expect(changed).toMatchObject({ category: 'closing', weight: 2, name: 'Offer to stay made' })
  })

  it('of a name that is none are refused with those that are', () => {
    expect(() => shop('take: [churning]')).toThrow(
      /Line 4, column 8: field "take\.0" must be one of the groups .*churn.*not "churning"/,
    )
    const german = { ...defaultRubric.rubric, language: 'xx', take: ['churn'] }
    expect(() => read(JSON.stringify(german))).toThrow(
      /"take" takes signals of a catalog, which there are in the languages .*en/,
    )
  })

  it('for a line of business are in the rubrics of projects that name it', () => {
    const bank = withVerticals(defaultRubric.rubric, ['Banking'])
    const more = keysOf(bank).slice(own.length)
    expect(more).toContain('sig.fraud_block_placed')
    expect(more).not.toContain('sig.excess_explained')
    expect(more).toEqual(keysOf({ signals: catalog.filter(({ verticals }) => verticals.includes('banking')) }))
  })

  it('make another version of the rubric there', () => {
    const { rubric, version } = defaultRubric
    const versions = [[], ['banking'], ['retail']].map(verticals => evaluationVersion(version, rubric, verticals))
    expect(new Set(versions).size).toBe(3)
    expect(versions[0]).toBe(version)
  })

  it('are in the catalog of every project, active where they are chosen', async () => {
    const store = { all: async () => [], add: async () => {} }
    const rubrics = await Rubrics.load({ store, read: async () => defaultRubric.rubric })
    const activeFor = async (verticals: readonly string[]) => {
      const { signals } = projectCatalogs({ verticals }, await rubrics.catalogs('p', verticals))
      return [...signals.values()].filter(({ active }) => active).map(({ signal_key: key }) => key)
    }
    expect(await activeFor([])).toEqual(own)
    expect(await activeFor(['banking'])).toContain('sig.fraud_block_placed')
    expect(await activeFor(['retail'])).not.toContain('sig.fraud_block_placed')
    expect((await rubrics.catalogs('p')).signals.get('sig.fraud_block_placed')).toMatchObject({ active: false })
  })
})
