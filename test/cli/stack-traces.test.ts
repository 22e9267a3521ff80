import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { bin, cleanEnvironment } from '../support/run-earshot.js'

/** What `earshot --version` writes to its standard output while a script of ours sees it writing. */
function versionSeenBy(script: string): string {
  const begin = `${script}; process.argv.splice(1, 0, ''); require(${JSON.stringify(bin)})`
  const { stdout } = spawnSync(process.execPath, ['-e', begin, '--', '--version'], {
    env: cleanEnvironment(),
    encoding: 'utf8',
  })
  return stdout
}

const write = 'const write = process.stdout.write.bind(process.stdout); process.stdout.write = text'

test('a stack trace names sources, with lines and columns, and what called them as it is', () => {
  const stack = versionSeenBy(`${write} => write(new TypeError('as it was thrown').stack)`)
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
  expect(versionSeenBy(`${write} => write(${odd}.stack)`)).toMatch(/^Error\n {4}at /)
})
