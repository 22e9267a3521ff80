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
})
