import { afterEach, expect, test, vi } from 'vitest'
import { reportFailure } from '../../src/cli/report-failure.js'

afterEach(() => {
  vi.restoreAllMocks()
})

function told(error: unknown): string {
  let stderr = ''
  vi.spyOn(process.stderr, 'write').mockImplementation(text => ((stderr += String(text)), true))
  expect(reportFailure(error, false)).toBe(1)
  return stderr
}

test.each([
  ['ENOSPC', 'The disk is full: make room'],
  ['EROFS', 'A file or directory that is needed is not this user’s to read or write'],
  ['EMFILE', 'Too many files are open: raise the limit (ulimit -n)'],
])('%s is a sentence that says what to do, not a stack', (code, sentence) => {
  const error = Object.assign(new Error(`${code}: what the system says, write`), { code })
  expect(told(error)).toBe(`${sentence} (${code}: what the system says, write)\n`)
})

test('what nobody foresaw is shown whole', () => {
  expect(told(new TypeError('undefined is not a function'))).toMatch(/^TypeError: undefined is not a function\n +at /)
})
