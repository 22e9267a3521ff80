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
})
