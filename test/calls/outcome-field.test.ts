import { describe, expect, it, test } from 'vitest'
import { outcomeField, outcomeSetting } from '../../src/calls/outcome-field.js'

describe('what lift explains', () => {
  test.each([
    ['predicted_csat', 'predicted_csat'],
    ['resolved', 'metadata.resolved'],
    ['metadata.resolved', 'metadata.resolved'],
    [' survey >= 4 ', 'metadata.survey>=4'],
    ['status=Solved', 'metadata.status=Solved'],
    ['metadata.Post call effort<=2.5', 'metadata.Post call effort<=2.5'],
  ])('%j is kept as %j, which is kept as it is', (written, kept) => {
    expect(outcomeSetting.parse(written)).toBe(kept)
    expect(outcomeSetting.parse(kept)).toBe(kept)
  })

  test.each(['', 'metadata.', '>=4', 'survey>=', 'survey>4', 'survey>=good', 'a=b=c', 'a\u0000b', 'x'.repeat(101)])(
    '%j is refused with what would be right',
    written => {
      const { error } = outcomeSetting.safeParse(written)
      expect(error?.issues[0]?.message).toMatch(/must be a field of session_metadata/)
    },
  )

  it.each([
    ['metadata.resolved', { true: true, false: false, yes: true, 0: false, maybe: undefined }],
    ['metadata.survey>=4', { 4: true, '3.9': false, '-1': false, none: undefined, ' ': undefined }],
    ['metadata.effort<=2', { 2: true, 3: false }],
    ['metadata.status=solved', { Solved: true, open: false, '': undefined }],
    ['metadata.reopened=false', { false: true, true: false }],
  ] as const)('%s takes texts of tables as what they say', (setting, values) => {
    const field = outcomeField(setting)!
    for (const [value, positive] of Object.entries(values)) {
      expect([value, field.isPositive(value)]).toEqual([value, positive])
    }
  })

  it('takes truths and numbers, and nothing of what is neither', () => {
    const [truth, number] = [outcomeField('metadata.a')!, outcomeField('metadata.a>=4')!]
    expect([true, false, 1, 0, 7].map(value => truth.isPositive(value))).toEqual([true, false, true, false, undefined])
    expect([4, 3, true].map(value => number.isPositive(value))).toEqual([true, false, undefined])
    for (const value of [null, undefined, [], {}, NaN]) {
      expect([truth, number].map(field => field.isPositive(value))).toEqual([undefined, undefined])
    }
  })

  it('is the predicted satisfaction where a project says nothing', () => {
    expect(outcomeField(undefined)).toBeUndefined()
    expect(outcomeField('predicted_csat')).toBeUndefined()
    expect(outcomeField('metadata.predicted_csat')?.field).toBe('predicted_csat')
  })
})
