import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../../src/base/problem.js'
import { builtInRubrics, extendableRubrics } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import { diffRubrics } from '../../../src/evaluation/rubric/diff-rubrics.js'
import { evaluationHash } from '../../../src/evaluation/rubric/evaluation-version.js'
import { parseRubric } from '../../../src/evaluation/rubric/parse-rubric.js'
import { rubricPage, rubricText } from '../../../src/evaluation/rubric/rubric-text.js'
import { RulesEvaluator } from '../../../src/evaluation/rules/rules-evaluator.js'
import { aCall } from '../a-call.js'

const base = builtInRubrics.get('support-calls')!.rubric
const read = (text: string) => parseRubric(text, extendableRubrics)
/** What a file changes in the default rubric. */
const changes = (text: string) => diffRubrics(base, read(`extends: support-calls\n${text}`))

function faultOf(text: string): string {
  try {
    read(`extends: support-calls\n${text}`)
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
  throw new Error('The rubric was accepted')
}

describe('a rubric that extends another one', () => {
  it.each([...builtInRubrics.values()])(
    'is that one while it changes nothing, as the page of it: $rubric.name',
    one => {
      const { rubric, version } = one
      expect(read(`extends: ${rubric.name}`)).toEqual(rubric)
      const page = read(rubricPage(one))
      expect(page).toEqual(rubric)
      // One of a project's own is in its language alone.
      expect(evaluationHash(page, one.others)).toBe(version)
      expect(rubricPage(one).split('\n').length).toBeLessThan(60)
    },
  )

  it('changes fields of an entry, which keeps its place and its other fields', () => {
    expect(changes('signals: [{ key: sig.hold_thanked, weight: 2, coaching: { strength: Thanked. } }]')).toEqual([
      { where: 'signals sig.hold_thanked weight', before: 1, after: 2 },
      {
        where: 'signals sig.hold_thanked coaching strength',
        before: 'The customer was thanked for waiting.',
        after: 'Thanked.',
      },
    ])
    expect(changes('csat: { start: 3, parts: [{ key: greeting, add: 0.3 }] }').map(({ where }) => where)).toEqual([
      'csat start',
      'csat parts greeting add',
    ])
    expect(changes('caps: [{ key: identity_skipped, active: true }]')).toEqual([
      { where: 'caps identity_skipped active', before: false, after: true },
    ])
  })

  it('takes what was measured of a signal over, but not where the signal is found by another rule', () => {
    const confidenceOf = (text: string) =>
      read(`extends: support-calls\nsignals: [{ key: sig.greeting_given, ${text} }]`).signals[0]?.confidence
    const measured = base.signals[0]?.confidence
    expect(measured?.present).toBeGreaterThan(0.5)
    expect(confidenceOf('weight: 1')).toEqual(measured)
    expect(confidenceOf('present: { say: { by: agent, any: [ahoy] } }')).toBeUndefined()
    expect(confidenceOf('present: { say: { by: agent, any: [ahoy] } }, confidence: { present: 0.6 }')).toEqual({
      present: 0.6,
      wordings: [],
    })
  })

  it('replaces a rule whole, and leaves out a field by null', () => {
    const [signal] = read(
      'extends: support-calls\nsignals: [{ key: sig.greeting_given, present: { say: { by: agent, any: [ahoy] } }, coaching: null }]',
    ).signals
    expect(signal?.present).toEqual({ say: { by: 'agent', any: ['ahoy'] } })
    expect(signal?.coaching).toBeUndefined()
    expect(read('extends: support-calls\ncsat: null').csat).toBeUndefined()
  })

  it('adds and removes phrases, of lists and of drivers, and replaces a list', () => {
    expect(changes('lists: { greeting: { add: [ahoy, howdy], remove: [greetings] } }')).toEqual([
      { where: 'lists greeting', before: 'greetings' },
      { where: 'lists greeting', after: 'ahoy' },
    ])
    expect(changes('drivers: { table: [{ driver: pay bill, not: { add: [pay me] } }] }')).toEqual([
      { where: 'drivers table pay bill not', after: 'pay me' },
    ])
    const { lists, holds } = read(
      'extends: support-calls\nlists: { boss: { replace: [chief] }, own: [a, b] }\nholds: { add: [wait] }',
    )
    expect(lists['boss']).toEqual(['chief'])
    expect(lists['own']).toEqual(['a', 'b'])
    expect(holds).toEqual(['$hold', 'wait'])
  })

  it('adds entries where they stand in the file: behind the one ahead of them, ahead of the first, or at the end', () => {
    const table = (text: string) =>
      read(`extends: support-calls\ndrivers: { table: [${text}] }`).drivers.table.map(({ driver }) => driver)
    const [first, second] = table('')
    const own = '{ driver: own, any: [own] }'
    expect(table(own).at(-1)).toBe('own')
    expect(table(`{ driver: ${first} }, ${own}`).slice(0, 3)).toEqual([first, 'own', second])
    expect(table(`${own}, { driver: ${first} }`).slice(0, 2)).toEqual(['own', first])
  })

  it('removes entries', () => {
    const { signals, drivers } = read(
      'extends: support-calls\nsignals: [{ key: sig.compliance_disclosure, remove: true }]\nguidance: [{ key: guide.give_disclosure, remove: true }]\ndrivers: { table: [{ driver: order checks, remove: true }] }',
    )
    expect(signals.map(({ key }) => key)).not.toContain('sig.compliance_disclosure')
    expect(drivers.table.map(({ driver }) => driver)).not.toContain('order checks')
    expect(signals).toHaveLength(base.signals.length - 1)
    // Inherited rules name those that are left.
    const named = JSON.stringify(signals.find(({ key }) => key === 'sig.identity_verified'))
    expect(named).toContain('transfer money')
    expect(named).not.toContain('order checks')
  })

  it('can take the shared phrases only, and say everything else itself', () => {
    const own = read(`extends: english-calls
name: own
title: Own
dimensions: [{ key: opening, name: Opening, weight: 1 }, { key: courtesy, name: Courtesy, weight: 1 }]`)
    expect(own.signals[0]?.key).toBe('sig.greeting_given')
    const { fields } = new RulesEvaluator({ rubric: own, version: '1' }).evaluate(
      aCall(['a: Good morning, this is Ana from Acme.', 'c: Hello.']),
      new Date(0),
    )
    expect(fields?.signals?.find(({ key }) => key === 'sig.greeting_given')?.state).toBe('present')
  })

  it('is found again when it is written out whole', () => {
    const own = read('extends: support-calls\nname: own\nlists: { greeting: { add: [ahoy] } }')
    expect(read(rubricText(own))).toEqual(own)
  })
})

describe('the documentation', () => {
  const page = readFileSync(new URL('../../../docs/rubric.md', import.meta.url), 'utf8')
  const examples = [...page.matchAll(/^```yaml\n([^]*?)^```/gm)].map(([, text = '']) => text)

  it('shows a rubric of changes that is one, and does what its comments say', () => {
    const text = examples.find(one => one.startsWith('extends:'))
    const where = diffRubrics(base, read(text ?? '')).map(({ where, before, after }) => [where, before, after])
    expect(where).toContainEqual(['lists greeting', undefined, 'welcome aboard'])
    expect(where).toContainEqual(['lists greeting', 'howdy', undefined])
    expect(where).toContainEqual(['dimensions closing weight', 10, 5])
    expect(where).toContainEqual(['signals sig.hold_thanked weight', 1, 2])
    expect(where).toContainEqual(['signals sig.competitor_mentioned active', true, false])
    expect(where).toContainEqual(['drivers table return or refund any', undefined, 'bring it back'])
    const { signals, drivers } = read(text ?? '')
    const keys = signals.map(({ key }) => key)
    expect(keys.indexOf('sig.warranty_offered')).toBe(keys.indexOf('sig.further_help_offered') + 1)
    const table = drivers.table.map(({ driver }) => driver)
    expect(table.indexOf('warranty claim')).toBe(table.indexOf('return or refund') - 1)
    expect(table).not.toContain('order checks')
  })

  it('shows a signal that can be added', () => {
    const text = examples.find(one => one.startsWith('lists:'))
    expect(read(`extends: support-calls\n${text}`).signals.at(-1)?.key).toBe('sig.warranty_offered')
  })
})

describe('a rubric that extends another one and is wrong is refused with line and column', () => {
  it.each([
    [
      'a phrase to remove that is not there, with what was meant',
      'lists:\n  greeting:\n    remove: [howdi]',
      'Line 4, column 14: field "lists.greeting.remove.0" removes what support-calls has not: "howdi", did you mean "howdy"?',
    ],
    [
      'an entry to remove that is not there',
      'signals:\n  - { key: sig.hold_thankd, remove: true }',
      'Line 3, column 7: field "signals.0.key" removes what support-calls has not: "sig.hold_thankd", did you mean "sig.hold_thanked"?',
    ],
    [
      'a misspelt entry, which is a new one',
      'signals:\n  - { key: sig.hold_thanked, weight: 3 }\n  - { key: sig.hold_thankd, weight: 2 }',
      'Line 4, column 5: field "signals.1.name" is required (text), since support-calls has no "sig.hold_thankd" that it would change',
    ],
    [
      'a list that would replace one',
      'lists:\n  greeting: [ahoy]',
      'Line 3, column 3: field "lists.greeting" has 13 phrases in support-calls: say which to add or remove',
    ],
    [
      'a change of a list that is not there',
      'lists:\n  own: { add: [ahoy] }',
      'Line 3, column 3: field "lists.own" changes a list that support-calls has not: give it as a list',
    ],
    [
      'something else than add and remove',
      'lists:\n  greeting: { append: [ahoy] }',
      'Line 3, column 15: field "lists.greeting.append" is none of add, remove and replace',
    ],
    [
      'no list of phrases',
      'lists:\n  greeting: { add: ahoy }',
      'Line 3, column 15: field "lists.greeting.add" must be a list of phrases',
    ],
    [
      'a phrase that can not be read, in its place in the file',
      "lists:\n  greeting: { add: [ahoy, '(hello'] }",
      'Line 3, column 27: field "lists.greeting.add.1" can\'t be read: a bracket is not closed',
    ],
    [
      'a field nobody knows, in its place in the file',
      'signals:\n  - { key: sig.hold_thanked, wieght: 2 }',
      'Line 3, column 30: unknown field "wieght" in "signals.0", did you mean "weight"?',
    ],
    [
      'a wrong value',
      'signals:\n  - { key: sig.hold_thanked, weight: much }',
      'Line 3, column 30: field "signals.0.weight" must be a number',
    ],
    [
      'a rule that names no list',
      'signals:\n  - { key: sig.hold_thanked, present: { say: { by: agent, any: [$thx] } } }',
      'Line 3, column 65: field "signals.0.present.say.any.0" can\'t be read: names a list that is not there: $thx',
    ],
    [
      'the same entry twice',
      'signals:\n  - { key: sig.hold_thanked, weight: 2 }\n  - { key: sig.hold_thanked, weight: 3 }',
      'Line 4, column 5: field "signals.1.name" is required',
    ],
    [
      'what something inherited needs',
      'signals:\n  - { key: sig.competitor_mentioned, remove: true }',
      'Line 1, column 1: "guidance guide.retain_customer when any 1 signal key" of support-calls names a signal that is not in this rubric: sig.competitor_mentioned',
    ],
    [
      'the only driver that something inherited asks for',
      'drivers:\n  table: [{ driver: check balance, remove: true }]',
      'of support-calls names a driver that is not in the table: check balance',
    ],
    [
      'a map where a list has to be',
      'signals: { key: sig.hold_thanked }',
      'Line 2, column 1: field "signals" must be a list',
    ],
  ])('%s', (_, text, message) => {
    expect(faultOf(text)).toContain(message)
  })

  it.each([
    ['suport-calls', '"suport-calls"'],
    ['[support-calls]', '["support-calls"]'],
  ])('what is no rubric: %s', (name, told) => {
    expect(() => read(`name: own\nextends: ${name}`)).toThrow(
      `Line 2, column 1: field "extends" must be one of support-calls, sales-calls, support-calls-de, support-calls-es, english-calls, not ${told}`,
    )
  })

  it('but one that was set before may remove, and replace, what another version of the program has', () => {
    const text =
      'extends: support-calls\nlists: { greeting: { remove: [howdi] }, boss: [chief], own: { add: [x] } }\nsignals: [{ key: sig.gone, remove: true }]'
    const { lists } = parseRubric(text, extendableRubrics, true)
    expect(lists['boss']).toEqual(['chief'])
    expect(lists['own']).toEqual(['x'])
    expect(lists['greeting']).toEqual(base.lists['greeting'])
  })

  it('is no way to a prototype', () => {
    expect(faultOf('lists: { __proto__: { add: [x] } }')).toContain('lists.__proto__')
    expect(({} as Record<string, unknown>)['add']).toBeUndefined()
  })
})
