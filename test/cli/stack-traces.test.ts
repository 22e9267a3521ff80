import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { versionAfter } from '../support/run-earshot.js'
import { tempDir } from '../support/temp-dir.js'

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

const bin = fileURLToPath(new URL('../../bin/stack-traces.cjs', import.meta.url))

/** A program of one bundled file, as it is published, with a map that says where everything on its first line came from. */
function bundled(): string {
  const dir = tempDir()
  const program = join(dir, 'dist', 'program')
  mkdirSync(program, { recursive: true })
  mkdirSync(join(dir, 'bin'))
  copyFileSync(bin, join(dir, 'bin', 'stack-traces.cjs'))
  writeFileSync(join(program, 'main.mjs'), `export const fail = () => { throw new Error('no') }\n`)
  const map = { version: 3, sources: ['../../src/fail.ts'], names: [], mappings: 'AAEE' }
  writeFileSync(join(program, 'main.mjs.map'), JSON.stringify(map))
  return dir
}

test('a place that was named is known without its map, which is not kept; where there is no map the file itself is named', async () => {
  const dir = bundled()
  const script = `
    require('./bin/stack-traces.cjs')
    const { rmSync } = require('node:fs')
    import('./dist/program/main.mjs').then(({ fail }) => {
      const frame = () => { try { fail() } catch (error) { return error.stack.split('\\n').slice(0, 2) } }
      const first = frame()
      rmSync('./dist/program/main.mjs.map')
      console.log(JSON.stringify([first, frame(), new Error('here').stack.split('\\n')[1]]))
    })`
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { cwd: dir })
  const [first, again, here] = JSON.parse(stdout) as [string[], string[], string]
  expect(first).toEqual(['Error: no', `    at fail (${join(dir, 'src', 'fail.ts')}:3:3)`])
  expect(again).toEqual(first)
  expect(here).toContain('[eval]')
})
