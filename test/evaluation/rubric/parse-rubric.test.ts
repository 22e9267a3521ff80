import { describe, expect, it } from 'vitest'
import { Problem } from '../../../src/base/problem.js'
import { builtInRubrics, extendableRubrics } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import { parseRubric as parseWith } from '../../../src/evaluation/rubric/parse-rubric.js'
import { rubricText } from '../../../src/evaluation/rubric/rubric-text.js'
import { RulesEvaluator } from '../../../src/evaluation/rules/rules-evaluator.js'

const parseRubric = (text: string) => parseWith(text, extendableRubrics)

const small = `name: small
title: A small rubric
language: en
dimensions:
  - { key: opening, name: Opening, weight: 1 }
lists:
  hello: [hello, hi]
signals:
  - key: sig.greeted
    name: Greeted
    description: The agent greets.
    category: opening
    weight: 1
    present:
      say: { by: agent, any: [$hello], first: 3 }
`

function faultOf(text: string): Problem {
  try {
    parseRubric(text)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('The rubric was accepted')
}

const replaced = (from: string, to: string) => {
  expect(small).toContain(from)
  return small.replace(from, to)
}

describe('a rubric file', () => {
  it('is YAML, with what is left out filled in', () => {
    const rubric = parseRubric(small)
    expect(rubric.signals[0]).toMatchObject({ key: 'sig.greeted', active: true, negative: false, verticals: [] })
    expect(rubric.caps).toEqual([])
  })

  it('or JSON', () => {
    expect(parseRubric(JSON.stringify(parseRubric(small)))).toEqual(parseRubric(small))
  })

  it.each([...builtInRubrics.values()])('can be a built-in one, as it is shown: $rubric.name', ({ rubric }) => {
    expect(parseRubric(rubricText(rubric))).toEqual(rubric)
    expect(() => new RulesEvaluator({ rubric, version: '1' })).not.toThrow()
  })
})

describe('a rubric file that is wrong is refused with line and column', () => {
  it.each([
    ['broken YAML', replaced('  - key: sig.greeted', '  - key: [sig'), 'Line 10, column 5: '],
    ['a key twice', replaced('title: A small rubric', 'name: other'), 'Line 2, column 1: Map keys must be unique'],
    [
      'a field nobody knows',
      replaced('    weight: 1\n', '    wieght: 1\n'),
      'Line 13, column 5: unknown field "wieght" in "signals.0", did you mean "weight"?',
    ],
    [
      'a wrong type',
      replaced('weight: 1\n', 'weight: much\n'),
      'Line 13, column 5: field "signals.0.weight" must be a number',
    ],
    ['something missing', replaced('    name: Greeted\n', ''), 'Line 9, column 5: field "signals.0.name" is required'],
    [
      'two rules in one',
      replaced('      say:', '      not: { driver: {} }\n      say:'),
      'Line 14, column 5: field "signals.0.present" must have exactly one of say, gap,',
    ],
    [
      'a fault deep in a rule',
      replaced('first: 3', 'first: none'),
      'Line 15, column 40: field "signals.0.present.say.first" must be a number',
    ],
    [
      'a list that is not there',
      replaced('[$hello]', '[$hallo]'),
      'Line 15, column 31: field "signals.0.present.say.any.0" can\'t be read: names a list that is not there: $hallo',
    ],
    [
      'a list that holds itself',
      replaced('[hello, hi]', '[hello, $hello]'),
      'Line 7, column 18: field "lists.hello.1" can\'t be read: $hello holds itself',
    ],
    [
      'a phrase without an end',
      replaced('[hello, hi]', '["(hello"]'),
      'Line 7, column 11: field "lists.hello.0" can\'t be read: a bracket is not closed: ) is missing',
    ],
    [
      'a phrase that any words fit',
      replaced('[hello, hi]', '["* ~"]'),
      'Line 7, column 11: field "lists.hello.0" can\'t be read: a phrase needs at least one word',
    ],
    [
      'a pattern RE2 does not know',
      replaced('[hello, hi]', '["/(?=a)/"]'),
      'Line 7, column 11: field "lists.hello.0" is not a pattern of RE2: ',
    ],
    [
      'a category that is no dimension',
      replaced('category: opening', 'category: openning'),
      'Line 12, column 5: field "signals.0.category" must be a dimension of this rubric (opening)',
    ],
    [
      'a signal that is not there',
      replaced('say: { by: agent, any: [$hello], first: 3 }', 'signal: { key: sig.other }'),
      'Line 15, column 17: field "signals.0.present.signal.key" names a signal that is not in this rubric: sig.other',
    ],
    [
      'a signal that asks about itself',
      replaced('say: { by: agent, any: [$hello], first: 3 }', 'signal: { key: sig.greeted }'),
      'Line 9, column 5: field "signals.0" can\'t be decided, because a signal asks about itself: sig.greeted → sig.greeted',
    ],
    ['no rubric at all', 'hello', 'Line 1, column 1: the input must be an object, not "hello"'],
    ['nothing', '', 'Line 1, column 1: the input must be an object, not null'],
  ])('%s', (_, text, message) => {
    expect(faultOf(text).message).toContain(message)
  })

  it('all faults at once, the first three in the sentence', () => {
    const text = small.replace('weight: 1 }', 'weight: -1 }').replace('language: en', 'language: english')
    const fault = faultOf(text)
    expect(fault.details.map(({ path }) => path)).toEqual(['language', 'dimensions.0.weight'])
    expect(fault.message).toMatch(/^Line 3, column 1: .*; Line 5, column 36: /)
  })

  it('nested without an end', () => {
    expect(faultOf('['.repeat(100_000)).message).toMatch(/^Line 1, column \d+: is nested too deeply$/)
  })

  it('too large, or blown up by aliases', () => {
    expect(faultOf(' '.repeat(1_000_001)).message).toContain('1000000 characters at most')
    const bomb = `a: &a [x, x]\n${Array.from({ length: 9 }, (_, at) => {
      const [from, to] = [String.fromCharCode(97 + at), String.fromCharCode(98 + at)]
      return `${to}: &${to} [*${from}, *${from}, *${from}, *${from}, *${from}]`
    }).join('\n')}`
    expect(faultOf(bomb).code).toBe('invalid_input')
  })
})

describe('what a rubric may cost', () => {
  it('takes keys that are there twice for a fault, at the second one, among tens of thousands too', () => {
    const keys = Array.from({ length: 90_000 }, (_, i) => `k${i}: 1`)
    expect(faultOf([...keys, 'k7: 2', 'k9: 2'].join('\n')).message).toBe(
      'Line 90001, column 1: Map keys must be unique',
    )
    expect(faultOf(replaced('weight: 1 }', 'weight: 1, key: other }')).message).toContain('Map keys must be unique')
    // Took minutes: the square of their number.
    expect(faultOf(keys.join('\n')).message).toContain('field "name" is required')
  })

  it('refuses what repeats itself by aliases beyond what a rubric may say', () => {
    const list = `[${Array.from({ length: 900 }, () => `"${'x'.repeat(480)}"`).join(', ')}]`
    const text = replaced('hello: [hello, hi]', `a: &a ${list}\n  b: *a\n  c: *a\n  d: *a\n  e: *a`)
    expect(faultOf(text)).toMatchObject({
      code: 'too_large',
      message: 'A rubric has 2000000 characters at most, as JSON with its aliases written out',
    })
  })

  it('refuses patterns that take too much, with the place, the number and the bound', () => {
    const patterns = Array.from({ length: 1_000 }, (_, i) => `"/(a|b${i}|c)+ ${i}/"`).join(', ')
    const { message, details } = faultOf(replaced('any: [$hello]', `any: [${patterns}]`))
    expect(message).toMatch(
      /field "signals\.0\.present\.say\.any\.\d+" makes the patterns of the rubric too costly: with it they have 2\d{3} instructions, and there may be 2000/,
    )
    expect(details).toHaveLength(1)
  })

  it('refuses lists of lists that are too long when they are written out', () => {
    const lists = Array.from({ length: 12 }, (_, i) => `  l${i + 1}: [$l${i} a, $l${i} b, $l${i} c, $l${i} d]`)
    const text = replaced('  hello: [hello, hi]', `  l0: [hello, hi]\n${lists.join('\n')}\n  hello: [$l12]`)
    expect(faultOf(text).message).toMatch(
      /lists\.l\d+\.\d" can't be read: the lists it names, written out, are too long/,
    )
  })

  it('refuses phrases that are too many when their lists are written out', () => {
    const list = Array.from({ length: 900 }, (_, i) => `word${i}`).join(', ')
    const wordings = Array.from({ length: 500 }, (_, i) => `"$hello number ${i}"`).join(', ')
    const text = replaced('hello: [hello, hi]', `hello: [${list}]`).replace('any: [$hello]', `any: [${wordings}]`)
    expect(faultOf(text).message).toMatch(
      /any\.\d+" (makes the phrases of the rubric too many: with it they have 4\d{5} places|can't be read)/,
    )
  })
})

describe('a call that takes a rubric too long', () => {
  it('has no evaluation and says so', () => {
    const evaluator = new RulesEvaluator({ rubric: parseRubric(small), version: 'x' })
    const transcript = [{ turn: 0, actor: 'agent' as const, text: 'Hello!' }]
    const call = { session_id: 'a', agent_name: 'Ana', created_dt: '2026-03-01T10:00:00Z', transcript }
    expect(evaluator.evaluate(call, new Date(), -1)).toEqual({ none: 'The rubric takes more than -0.001 s on it' })
    expect(evaluator.evaluate(call, new Date()).fields).toBeDefined()
  })

  it('is not begun with a pattern for whose length there is no time', () => {
    const pattern = parseRubric(replaced('any: [$hello]', 'any: ["/(a|b)+(c|d)+(e|f)+(g|h)+x{800}y{800}/"]'))
    const evaluator = new RulesEvaluator({ rubric: pattern, version: 'x' })
    const transcript = [{ turn: 0, actor: 'agent' as const, text: 'so he said '.repeat(90_000) }]
    const call = { session_id: 'a', agent_name: 'Ana', created_dt: '2026-03-01T10:00:00Z', transcript }
    // A thousandth of what it would take.
    expect(evaluator.evaluate(call, new Date(), 5_000).none).toBe('The rubric takes more than 5 s on it')
  })
})
