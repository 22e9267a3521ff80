import { expect, it } from 'vitest'
import type { KeyRecord } from '../../../src/store/records/key.js'
import { openStore, tempDir } from './support.js'

const key: KeyRecord = {
  key_id: 'k1',
  name: 'Desk',
  key_hash: 'ab12',
  key_preview: 'esk_abcd…wxyz',
  project_id: 'p',
  active: true,
  is_supervisor: true,
  roles: ['Admin'],
  allowed_agents: [],
  require_mapping: false,
  created_at: '2026-03-01T12:00:00.000Z',
  created_by: 'admin@example.com',
}

it('gives back every key as it was stored, also after a restart', async () => {
  const dataDir = tempDir()
  const before = await openStore({ dataDir })
  const expiring = {
    ...key,
    key_id: 'k2',
    expires_at: '2026-04-01T00:00:00.000Z',
    last_used_at: '2026-03-02T00:00:00.000Z',
  }
  await before.keys.insert(key)
  await before.keys.insert(expiring)
  await before.close()
  const store = await openStore({ dataDir })
  expect(await store.keys.all()).toEqual([key, expiring])
})

it('refuses a second key of the same id', async () => {
  const store = await openStore()
  await store.keys.insert(key)
  await expect(store.keys.insert(key)).rejects.toMatchObject({ code: 'conflict' })
})

it('replaces a key without forgetting when it was last used', async () => {
  const store = await openStore()
  await store.keys.insert(key)
  await store.keys.touch(
    new Map([
      ['k1', '2026-03-03T08:00:00.000Z'],
      ['gone', '2026-03-03T08:00:00.000Z'],
    ]),
  )
  await store.keys.update({ ...key, active: false })
  expect(await store.keys.all()).toEqual([{ ...key, active: false, last_used_at: '2026-03-03T08:00:00.000Z' }])
  await expect(store.keys.update({ ...key, key_id: 'gone' })).rejects.toMatchObject({ code: 'not_found' })
})
