import { expect, test } from 'vitest'
import { liftLines } from '../../../src/cli/evaluate/lift-lines.js'

const report = {
  evaluator: 'rules',
  outcome: 'predicted_csat',
  calls: 60,
  positive: 30,
  lifts: 60,
  changed: 60,
} as const
const by = 'Outcome lift, calls evaluated by rules: '

test.each([
  ['fitted', {}, '60 calls (30 of 60 with a positive outcome by predicted_csat), 60 changed.'],
  [
    'fitted, which ends lifts of the version before',
    { changed: 360, lost: 300 },
    '60 calls (30 of 60 with a positive outcome by predicted_csat), 360 changed. 300 calls that another version of the rubric evaluated have none until they are evaluated again (earshot evaluate --stale).',
  ],
  ['too few', { calls: 1, lifts: 0, changed: 0, none: 'It takes more' }, 'none. It takes more.'],
  [
    'too few of a new version',
    { calls: 1, lifts: 300, changed: 0, none: 'It takes more' },
    'none fitted. It takes more. Until then 300 calls keep the lift they have by the version of the rubric before.',
  ],
])('%s', (_, fields, line) => {
  expect(liftLines([{ ...report, ...fields }])).toBe(`${by}${line}\n`)
})
