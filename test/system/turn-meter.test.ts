import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { canMeasureTurns, HeldLoop, MOST_TURN_MS } from '../support/loop/held-loop.js'
import { cleanEnvironment } from '../support/run-earshot.js'
import { tempDir } from '../support/temp-dir.js'

// What test/system/event-loop.test.ts measures with: that it sees a held loop, and only that.

const program = fileURLToPath(new URL('../support/loop/hold-loop.cjs', import.meta.url))

function holding() {
  const held = new HeldLoop(join(tempDir(), 'turns'))
  const child = spawn(process.execPath, [program], {
    env: cleanEnvironment(held.environment),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return {
    hold: async (ms: number): Promise<readonly number[]> => {
      child.stdin.write(`${ms}\n`)
      await once(child.stdout, 'data')
      return held.take()
    },
  }
}

/** Takes a processor until the test is over. */
function burn(): void {
  const child = spawn(process.execPath, ['-e', 'for (;;);'])
  onTestFinished(() => void child.kill('SIGKILL'))
}

describe.skipIf(!canMeasureTurns)('the meter of turns (Linux)', () => {
  test('sees a loop that is held for 150 ms', async () => {
    const { hold } = holding()
    await hold(1)
    const [turn = 0, ...others] = await hold(150)
    expect(turn).toBeGreaterThan(MOST_TURN_MS)
    expect(others).toEqual([])
  })

  test('sees nothing in what others take of the machine', async () => {
    burn()
    burn()
    burn()
    burn()
    const { hold } = holding()
    await hold(1)
    const turns: number[] = []
    // One after the other, since each is a turn.
    // oxlint-disable-next-line no-await-in-loop
    for (let i = 0; i < 10; i += 1) turns.push(...(await hold(60)))
    expect(turns).toHaveLength(10)
    expect(turns.filter(ms => ms > MOST_TURN_MS)).toEqual([])
    // And still sees what is there.
    expect((await hold(150)).some(ms => ms > MOST_TURN_MS)).toBe(true)
  })
})
