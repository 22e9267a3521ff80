import { expect, test } from 'vitest'
import { hourly } from '../../support/activity.js'
import { tempDir } from '../../support/temp-dir.js'
import { openDuckDbStore } from '../../../src/store/duckdb/open-duckdb-store.js'

const ann = { source: 'application_key', credential_id: 'key_ann', name: 'Ann', roles: ['Admin'] } as const
const story = hourly(Array.from({ length: 10 }, () => ({ ...ann, page: 'search_calls' })))
const all = { projectId: 'p' }

test('what is replayed twice is there once, and what was deleted does not come back, nor by opening the store again', async () => {
  const dataDir = tempDir()
  const open = () => openDuckDbStore({ dataDir, memoryLimit: '256MB', threads: 2 })
  let store = await open()
  expect(await store.activity.lastSequence()).toBe(0)
  expect(await store.activity.insert([])).toBe(0)
  expect(await store.activity.insert(story.slice(0, 4))).toBe(4)
  expect(await store.activity.insert(story.slice(2))).toBe(6)
  expect(await store.activity.insert(story)).toBe(0)
  expect(await store.activity.summary(all)).toMatchObject({ requests: 10 })

  const before = Date.UTC(2026, 2, 1, 9)
  expect(await store.activity.deleteBefore(before)).toBe(9)
  expect(await store.activity.deleteBefore(before)).toBe(0)
  await store.close()
  store = await open()
  expect(await store.activity.lastSequence()).toBe(10)
  expect(await store.activity.insert(story)).toBe(0)
  expect(await store.activity.summary(all)).toMatchObject({ requests: 1 })
  await store.close()
})
