import { describe, expect, test } from 'vitest'
import { type Change, textWith, Unfit, withChange } from '../../console/screens/rubric/draft.js'
import { defaultRubric, extendableRubrics } from '../../src/evaluation/rubric/built-in-rubrics.js'
import { diffRubrics } from '../../src/evaluation/rubric/diff-rubrics.js'
import { parseRubric } from '../../src/evaluation/rubric/parse-rubric.js'
import { rubricPage, rubricText } from '../../src/evaluation/rubric/rubric-text.js'

const phrase = (key: string, words: string, isAdded: boolean): Change => ({
  kind: 'lists',
  key,
  phrase: words,
  isAdded,
})
const CHANGES: readonly Change[] = [
  { kind: 'dimensions', key: 'closing', field: 'weight', value: 5 },
  { kind: 'signals', key: 'sig.hold_thanked', field: 'weight', value: 2.5 },
  { kind: 'signals', key: 'sig.hold_thanked', field: 'active', value: false },
  { kind: 'caps', key: 'refused', field: 'most', value: 2 },
  phrase('greeting', '(ahoy|ohoy) there: you', true),
  phrase('greeting', 'howdy', false),
]
const DIFFERENT = [
  { where: 'lists greeting', before: 'howdy' },
  { where: 'lists greeting', after: '(ahoy|ohoy) there: you' },
  { where: 'dimensions closing weight', before: 10, after: 5 },
  { where: 'signals sig.hold_thanked active', before: true, after: false },
  { where: 'signals sig.hold_thanked weight', before: 1, after: 2.5 },
  { where: 'caps refused most', before: 3, after: 2 },
]
const OWN = 'extends: support-calls\ncaps: [{ key: refused, active: true }]\nlists: { greeting: { add: [ayo] } }'
const read = (text: string) => parseRubric(text, extendableRubrics)
describe('the text of a rubric with changes', () => {
  test.each([
    ['of a built-in one', rubricPage(defaultRubric), defaultRubric.rubric],
    ['that was set whole', rubricText(defaultRubric.rubric), defaultRubric.rubric],
    ['as JSON', JSON.stringify(defaultRubric.rubric), defaultRubric.rubric],
    ['with what it says already', OWN, read(OWN)],
  ])('%s differs by them alone', (_, text, before) => {
    expect(diffRubrics(before, read(textWith(text, CHANGES)))).toEqual(DIFFERENT)
    expect(textWith(text, [])).toBe(text)
  })

  test('keeps comments, and goes on extending', () => {
    const text = textWith('# ours\nextends: support-calls # and follows it\nname: shop\n', CHANGES.slice(0, 1))
    expect(text).toBe(
      '# ours\nextends: support-calls # and follows it\nname: shop\ndimensions:\n  - { key: closing, weight: 5 }\n',
    )
  })

  test('what a file added or took out of a list is taken back where it says so', () => {
    const text =
      'extends: support-calls\nlists:\n  greeting: { add: [ayo, hoy], remove: [howdy] }\n  own: [one, two]\n  brand: { replace: [acme, acme bank] }\n'
    const changed = textWith(text, [
      phrase('greeting', 'ayo', false),
      phrase('greeting', 'howdy', true),
      phrase('own', 'two', false),
      phrase('own', 'three', true),
      phrase('brand', 'acme', false),
    ])
    expect(changed).toContain('greeting: { add: [ hoy ] }')
    const { lists } = read(changed)
    expect(lists).toMatchObject({ own: ['one', 'three'], brand: ['acme bank'] })
    expect(lists['greeting']).toContain('howdy')
  })

  test('what is written otherwise is left to be changed by hand', () => {
    const aliased = 'extends: support-calls\nlists:\n  one: &it [a, b]\n  two: *it\n'
    expect(() => textWith(aliased, [phrase('two', 'c', true)])).toThrow(Unfit)
    expect(() => textWith('name: whole', CHANGES)).toThrow(Unfit)
    expect(() => textWith('- no map', CHANGES)).toThrow(Unfit)
  })

  test('a change takes the place of the earlier one, and back again is none', () => {
    const [one] = CHANGES
    const changes = withChange(withChange([], one!, false), { ...one!, value: 7 } as Change, false)
    expect(changes).toEqual([{ ...one, value: 7 }])
    expect(withChange(changes, one!, true)).toEqual([])
  })
})
