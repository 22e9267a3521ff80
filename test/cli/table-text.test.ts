import { describe, expect, test } from 'vitest'
import { tableText } from '../../src/cli/table-text.js'

const HEAD = ['Name', 'Agents']
const ROWS = [
  ['Dashboard', 'Jordan Smith, Alex Doe, Sam Lee, Kim Park'],
  ['Bot', ''],
]

describe('a table', () => {
  test('is as wide as its content where nobody watches the width', () => {
    expect(
      tableText(HEAD, ROWS, undefined)
        .split('\n')
        .map(line => line.trimEnd()),
    ).toEqual(['Name       Agents', 'Dashboard  Jordan Smith, Alex Doe, Sam Lee, Kim Park', 'Bot', ''])
  })

  test('fits the terminal: the widest column gives way', () => {
    const lines = tableText(HEAD, ROWS, 30).trimEnd().split('\n')
    expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(30)
    expect(lines[1]).toMatch(/^Dashboard {2}Jordan Smith, .*…$/)
  })

  test('keeps its first column, by which the next command names a row', () => {
    const id = 'key_cf322795e3860965bc8b21f6'
    const rows = [[id, 'Service account', 'esk_mJXn…4Y5x', 'yes', 'Admin', '', '2026-11-21T19:25:42.454Z']]
    const head = ['Key', 'Name', 'Token', 'Active', 'Roles', 'Agents', 'Last used']
    const [, line = ''] = tableText(head, rows, 80).split('\n')
    expect(line).toMatch(new RegExp(`^${id} `))
    expect(line.length).toBeLessThanOrEqual(80)
    // Where seven columns have no room beside it, it gives way too.
    expect(tableText(head, rows, 50)).not.toContain(id)
  })

  test('leaves out what stands furthest right where even narrow columns have no room', () => {
    const head = ['Call', 'Began', 'Agent', 'Score', 'Length']
    const rows = [['e9dffe9a3a2b0468', '2026-11-21 20:13', 'Pearl Pouros', '4.40', '1 min 19 s']]
    for (const width of [1, 10, 20, 30]) {
      const lines = tableText(head, rows, width).trimEnd().split('\n')
      expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(Math.max(4, width))
    }
    expect(tableText(head, rows, 20)).toMatch(/^Call +Began$/m)
  })

  test('never cuts a number or a bar', () => {
    const head = ['Agent', 'Calls', '', 'Before']
    const rows = [['Hipolito Green', '123,456', '█████▎', '4.33']]
    const at = (width: number) => tableText(head, rows, width, ['Calls', 'Before']).split('\n')[1]
    expect(at(40)).toBe('Hipolito Green  123,456  █████▎    4.33')
    expect(at(34)).toBe('Hipolito Green  123,456  █████▎')
    expect(at(20)).toBe('Hipolito G…  123,456')
  })

  test('measures what is seen: wide letters take two columns, colours none', () => {
    const lines = tableText(
      ['Name', 'Calls'],
      [
        ['\u001b[31m山田\u001b[39m', '1'],
        ['Ann', '20'],
      ],
      undefined,
      ['Calls'],
    )
    expect(lines.split('\n').slice(0, 3)).toEqual(['Name  Calls', '\u001b[31m山田\u001b[39m      1', 'Ann      20'])
  })
})

test('a table of many rows is laid out in blocks, which nobody sees', () => {
  const rows = Array.from({ length: 1_001 }, (_, i) => [`call ${i}`, String(i)])
  const lines = tableText(['Call', 'Number'], rows, undefined, ['Number']).split('\n')
  expect(lines).toHaveLength(1_003)
  expect(lines.filter(line => line.startsWith('Call'))).toEqual(['Call       Number'])
  expect([lines[200], lines[201], lines[1_001]]).toEqual([
    'call 199      199',
    'call 200      200',
    'call 1000    1000',
  ])
})
