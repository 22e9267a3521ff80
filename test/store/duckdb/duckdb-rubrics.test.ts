import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDuckDbStore } from '../../../src/store/duckdb/open-duckdb-store.js'

it('keeps every version of the rubrics, over a restart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-test-'))
  const open = () => openDuckDbStore({ dataDir, memoryLimit: '256MB', threads: 2 })
  const first = { project_id: 'p', version: 1, text: "name: it's\n", set_at: '2026-03-01T12:00:00.000Z', set_by: 'ada' }
  const second = { project_id: 'p', version: 2, built_in: 'support-calls', set_at: first.set_at, set_by: 'ben' }
  let store = await open()
  await store.rubrics.add(first)
  await store.rubrics.add(second)
  await store.close()
  store = await open()
  expect(await store.rubrics.all()).toEqual([first, second])
  await store.close()
  rmSync(dataDir, { recursive: true })
})
