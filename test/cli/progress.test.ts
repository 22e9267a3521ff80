import { afterEach, expect, test, vi } from 'vitest'
import { startProgress } from '../../src/cli/progress.js'

const was = process.stderr.isTTY

afterEach(() => {
  process.stderr.isTTY = was
  vi.restoreAllMocks()
})

/** What a bar shows on a terminal when this much is done. */
function shown(total: number | undefined, done: number, calls: number): string {
  let text = ''
  vi.spyOn(process.stderr, 'write').mockImplementation(part => ((text += String(part)), true))
  process.stderr.isTTY = true
  const bar = startProgress('Importing', 'bytes', total, { counting: 'calls' })
  bar.update(done, calls)
  bar.stop()
  return text
}

test('a bar of bytes counts calls, and calls a second', () => {
  expect(shown(2_000, 1_000, 7)).toMatch(/50% \| 7 calls \| \d+ calls\/s \| .* left/)
})

test('where nobody knows how much there is, calls are counted all the same', () => {
  expect(shown(undefined, 1_000, 7)).toMatch(/Importing \| 7 calls \| \d+ calls\/s \| /)
})
