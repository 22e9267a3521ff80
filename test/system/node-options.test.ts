import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runEarshot, spawnEarshot } from '../support/run-earshot.js'
import { tempDir } from '../support/temp-dir.js'

// A thread refuses to start with options of V8, which hold for the whole process.
test('what an operator tells Node of memory is taken', async () => {
  const store = ['--data-dir', join(tempDir(), 'data')]
  expect(await runEarshot(['project', 'create', 'shop', ...store])).toMatchObject({ code: 0 })
  const call = { session_id: 's-1', agent_id: 'a-1', agent_name: 'Ada', created_dt: '2026-03-01T10:00:00Z', score: 4 }
  const imported = await spawnEarshot(['import', '-', '--project', 'shop', ...store], {
    input: JSON.stringify(call),
    node: ['--max-old-space-size=512'],
  })
  expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining('1 of 1 calls stored') })
})
