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

test('without a terminal there is a line every ten seconds where it takes long, and nothing else', () => {
  let text = ''
  let now = 0
  vi.spyOn(process.stderr, 'write').mockImplementation(part => ((text += String(part)), true))
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  process.stderr.isTTY = false
  for (const lines of [true, false]) {
    now = 0
    const bar = startProgress('Evaluating', 'calls', 2_000, { lines })
    for (let done = 100; done <= 500; done += 100) {
      now += 4_000
      bar.update(done)
    }
    bar.stop()
  }
  expect(text).toBe('Evaluating: 300 of 2,000 calls after 12 s, about 68 s left\n')
})

test('such a line counts calls, and calls a second, where the bar would be of bytes', () => {
  let text = ''
  let now = 0
  vi.spyOn(process.stderr, 'write').mockImplementation(part => ((text += String(part)), true))
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  process.stderr.isTTY = false
  const bar = startProgress('Importing', 'bytes', 2_000_000, { counting: 'calls', lines: true })
  now = 12_000
  bar.update(500_000, 6_000)
  expect(text).toBe('Importing: 6,000 calls after 12 s, 500 a second, about 36 s left\n')
})
