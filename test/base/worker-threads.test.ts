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
    `export default late => {
       if (late) setTimeout(() => { for (const held = []; ;) held.push(new Array(100_000).fill('x')) }, 1)
       return 'done'
     }`,
  )
  const pool = workerThreads<boolean, string>({
    filename,
    maxThreads: 1,
    // Between tasks the thread would sleep, and its timer with it.
    atomics: 'disabled',
    idleTimeout: 60_000,
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  })
  const failed = once(pool, 'error').catch((error: unknown) => [error])
  expect(await pool.run(true)).toBe('done')
  expect(await failed).toEqual([expect.objectContaining({ code: 'ERR_WORKER_OUT_OF_MEMORY' })])
  expect(await pool.run(false)).toBe('done')
  await pool.destroy()
})
