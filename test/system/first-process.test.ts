import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openStore } from '../store/duckdb/support.js'
import { bin, cleanEnvironment } from '../support/run-earshot.js'
import { tempDir } from '../support/temp-dir.js'
import { isWhole } from '../support/whole.js'

/** Gives what it starts process ids of its own, from 1 on, as a container does. */
const UNSHARE = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child'] as const

/** Linux where users may make namespaces; elsewhere there is nothing to see here. */
const canUnshare = spawnSync('unshare', [...UNSHARE, 'true']).status === 0

/** Runs a command as process 1, sends it a signal as soon as it has written something, and waits for its end. */
async function signalled(signal: NodeJS.Signals, ...args: string[]): Promise<number | null> {
  const outer = spawn('unshare', [...UNSHARE, process.execPath, bin, ...args], {
    env: cleanEnvironment({ EARSHOT_LOG_LEVEL: 'silent' }),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void outer.kill('SIGKILL'))
  const ended = once(outer, 'exit') as Promise<[number | null]>
  await once(outer.stdout, 'readable')
  const inner = readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, 'utf8').trim()
  process.kill(Number(inner), signal)
  const [code] = await ended
  return code
}

describe.skipIf(!canUnshare)('as the first process of a container', () => {
  // The kernel keeps from process 1 every signal that it doesn't listen to. Nobody reads what is written here: it never ends.
  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('a command that listens to no signal is ended by %s', async (signal, code) => {
    expect(await signalled(signal, 'generate', '--calls', '1000000')).toBe(code)
  })

  test('the server ends in order at SIGTERM', async () => {
    const place = ['--data-dir', join(tempDir(), 'data'), '--port', '0']
    expect(await signalled('SIGTERM', 'serve', '--json', ...place)).toBe(0)
  })

  test.runIf(isWhole)(
    'one that finds the store held says that the holder is outside, of whom it sees nothing',
    async () => {
      const dataDir = tempDir()
      await openStore({ dataDir })
      const doctor = [...UNSHARE, process.execPath, bin, 'doctor', '--json', '--data-dir', dataDir]
      const { stdout } = spawnSync('unshare', doctor, { env: cleanEnvironment(), encoding: 'utf8' })
      const { findings } = JSON.parse(stdout) as { findings: readonly { check: string; found: string }[] }
      expect(findings.find(({ check }) => check === 'Store')?.found).toContain(
        'is in use by a process outside this container. Stop it',
      )
    },
  )
})
