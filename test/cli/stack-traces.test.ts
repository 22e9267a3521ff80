import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { tempDir } from '../support/temp-dir.js'

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

test('a trace names the source, again without reading its map again, and the file itself where there is no map', async () => {
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
