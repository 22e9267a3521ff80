import { expect, test } from 'vitest'
import { harmless, screenOf, styled } from '../../src/cli/screen.js'

const terminal = (columns: number) => ({ isTTY: true, columns })

test.each([
  ['a file or another program', {}, { COLUMNS: '20' }, { width: undefined, colour: false }],
  ['a terminal', terminal(120), {}, { width: 120, colour: true }],
  ['a terminal that COLUMNS says is narrower', terminal(120), { COLUMNS: '40' }, { width: 40, colour: true }],
  ['a terminal of no width', terminal(0), { COLUMNS: '0' }, { width: 80, colour: true }],
  ['a terminal that nobody measured', { isTTY: true }, { COLUMNS: 'wide' }, { width: 80, colour: true }],
  ['somebody who wants no colours', terminal(80), { NO_COLOR: '1' }, { width: 80, colour: false }],
  ['an empty NO_COLOR', terminal(80), { NO_COLOR: '' }, { width: 80, colour: true }],
  ['a terminal without colours', terminal(80), { TERM: 'dumb' }, { width: 80, colour: false }],
] as const)('%s', (_, output, environment, screen) => {
  expect(screenOf(output, environment)).toEqual(screen)
})

test('nothing in an answer moves a cursor; what we colour is', () => {
  expect(harmless({ title: 'a\u001b[2J\rb', turns: ['\u202ec'], at: 1 })).toEqual({
    title: 'a[2J b',
    turns: ['c'],
    at: 1,
  })
  expect(styled({ width: 80, colour: true }, 'red', 'x')).toBe('\u001b[31mx\u001b[39m')
  expect(styled({ width: 80, colour: false }, 'red', 'x')).toBe('x')
})
