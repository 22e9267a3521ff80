import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { versionAfter } from '../support/run-earshot.js'

/** What `earshot --version` writes to its standard output, where that is exchanged for an expression of JavaScript. */
const writtenAs = (expression: string) =>
  versionAfter(
    `const write = process.stdout.write.bind(process.stdout); process.stdout.write = () => write(${expression})`,
  ).stdout

test('a stack trace names sources, with lines and columns, and what called them as it is', () => {
  const stack = writtenAs(`new TypeError('as it was thrown').stack`)
  const [title, ...frames] = stack.split('\n')
  expect(title).toBe('TypeError: as it was thrown')
  const sources = fileURLToPath(new URL('../../src/cli/', import.meta.url))
  const ours = frames.filter(frame => frame.includes(sources))
  expect(ours.length).toBeGreaterThan(0)
  for (const frame of ours) expect(frame).toMatch(/^ {4}at .*\.ts:\d+:\d+\)?$/)
  expect(stack).not.toContain('dist/program')
})

test('whatever was thrown has a trace', () => {
  const odd = `Object.defineProperty(new Error('x'), 'message', { get() { throw new Error('y') } })`
  expect(writtenAs(`${odd}.stack`)).toMatch(/^Error\n {4}at /)
})
