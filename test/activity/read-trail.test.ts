import { expect, test } from 'vitest'
import { sessionHash } from '../../src/activity/audit-trail.js'
import { toOcsf } from '../../src/activity/ocsf.js'
import { readTrail } from '../../src/activity/read-trail.js'
import { aTrail, anEvent } from '../support/activity.js'
import { tempDir } from '../support/temp-dir.js'

test('the trail is read whole, over its files, while it is written', async () => {
  const dataDir = tempDir()
  const trail = await aTrail(dataDir, { segmentBytes: 1_000 })
  const hash = trail.sessionHash('p', 'call-1')
  for (let n = 1; n <= 12; n += 1) await trail.append(anEvent(n, n === 7 ? { session_hashes: [hash] } : {}))
  const read = []
  for await (const event of readTrail(dataDir)) read.push(event)
  expect(read.map(({ seq }) => seq)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1))
  const asked = read.filter(one => one.session_hashes?.includes(sessionHash('of the tests', 'p', 'call-1')))
  expect(asked.map(({ seq }) => seq)).toEqual([7])
  expect(sessionHash('of the tests', 'q', 'call-1')).not.toBe(hash)
})

test('an event in the shape of OCSF says who did what, how it ended, and nothing that is not on record', () => {
  const refused = { seq: 9, ...anEvent(9, { outcome: 'refused', code: 'forbidden', status: 403, rows: 0 }) }
  expect(toOcsf(refused)).toMatchObject({
    class_uid: 6003,
    type_uid: 600_302,
    time: Date.UTC(2026, 2, 15, 12),
    status_id: 2,
    status_code: '403',
    status_detail: 'forbidden',
    metadata: { version: '1.3.0', sequence: 9 },
    actor: { user: { uid: 'key_a', name: 'Claude of Ann', groups: [{ name: 'Admin' }] } },
    api: { operation: 'search_calls', request: { uid: 'request-9' } },
    unmapped: { project_id: 'p', rows: 0 },
  })
})
