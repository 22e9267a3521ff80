import { writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { workerThreads } from '../../src/base/worker-threads.js'
import { tempDir } from '../support/temp-dir.js'

test('a thread that fails after its task was answered ends neither the process nor the pool', async () => {
  const folder = tempDir()
  const filename = join(folder, 'worker.mjs')
  writeFileSync(
    filename,
    // Fails only when it is told that its answer has come: how long that takes must not decide which of the two is first.
    `const fail = () => { for (const held = []; ;) held.push(new Array(100_000).fill('x')) }
     export default come => {
       const wait = () => Atomics.load(come, 0) === 1 ? fail() : setTimeout(wait, 1)
       if (come !== undefined) setTimeout(wait, 1)
       return 'done'
     }`,
  )
  const pool = workerThreads<Int32Array | undefined, string>({
    filename,
    maxThreads: 1,
    // Between tasks the thread would sleep, and its timer with it.
    atomics: 'disabled',
    idleTimeout: 60_000,
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  })
  const failed = once(pool, 'error').catch((error: unknown) => [error])
  const come = new Int32Array(new SharedArrayBuffer(4))
  expect(await pool.run(come)).toBe('done')
  Atomics.store(come, 0, 1)
  expect(await failed).toEqual([expect.objectContaining({ code: 'ERR_WORKER_OUT_OF_MEMORY' })])
  expect(await pool.run(undefined)).toBe('done')
  await pool.destroy()
})
