import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { bin, cleanEnvironment, runEarshot } from '../support/run-earshot.js'
import { isWhole } from '../support/whole.js'

const scratch = mkdtempSync(join(tmpdir(), 'earshot-test-'))
symlinkSync(bin, join(scratch, 'earshot'))
const { stdout: script } = await runEarshot(['completion'])

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** What bash completes the last of some words to, when SHELL names another shell than the one it is. */
function completed(shell: string, ...words: readonly string[]): readonly string[] {
  const asked = `COMP_WORDS=(${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _earshot; printf '%s\\n' "\${COMPREPLY[@]}"`
  const env = cleanEnvironment({ SHELL: shell, PATH: `${scratch}:${process.env['PATH']}` })
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', `${script}\n${asked}`], { encoding: 'utf8', env })
  expect(stderr).toBe('')
  return stdout.trimEnd().split('\n')
}

test.runIf(isWhole)('bash completes commands, options and choices', () => {
  expect(completed('/bin/bash', 'earshot', 'ke')).toEqual(['keys'])
  expect(completed('/bin/bash', 'earshot', 'keys', 'mi')).toEqual(['mint'])
  expect(completed('/bin/bash', 'earshot', 'keys', 'mint', '--ro')).toEqual(['--role'])
  expect(completed('/bin/bash', 'earshot', 'keys', 'mint', '--role', 'Su')).toEqual(['SuperAdmin', 'Supervisor'])
})

// In zsh each is followed by what it does: one that is said so in bash shows that all are.
test.each(['/bin/zsh', ''])('bash gets what bash reads where SHELL=%j', shell => {
  expect(completed(shell, 'earshot', 'keys', 'mi')).toEqual(['mint'])
})

const hasZsh = spawnSync('zsh', ['--version']).status === 0

// What zsh does with the completions is its own; here they are printed.
test.skipIf(!hasZsh)('zsh gets them with what they do', () => {
  const asked = "words=(earshot keys mi); CURRENT=3; BUFFER='earshot keys mi'; CURSOR=15; _earshot"
  const own = `compdef() { : }\n${script}\n_describe() { print -l "\${(@P)2}" }\n${asked}`
  const env = cleanEnvironment({ SHELL: '/bin/bash', PATH: `${scratch}:${process.env['PATH']}` })
  const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', own], { encoding: 'utf8', env })
  expect(stderr).toBe('')
  expect(stdout).toContain('mint:Mint a key and show its token, once\n')
})
