import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ActivityReplay } from '../../src/activity/activity-replay.js'
import { Problem } from '../../src/base/problem.js'
import type { ActivityTable } from '../../src/store/activity-store.js'
import { openDuckDbStore } from '../../src/store/duckdb/open-duckdb-store.js'
import { aTrail, anEvent, keptLog } from '../support/activity.js'
import { tempDir } from '../support/temp-dir.js'

const all = { projectId: 'p' }

async function aTable(dataDir: string): Promise<ActivityTable> {
  const store = await openDuckDbStore({ dataDir, memoryLimit: '256MB', threads: 2, threadPoolSize: 16 })
  onTestFinished(() => store.close())
  return store.activity
}

type Options = ConstructorParameters<typeof ActivityReplay>[0]

/** A replay that looks at the trail only when told to, unless `intervalMs` says otherwise. */
function aReplay(options: Options): ActivityReplay {
  const replay = new ActivityReplay({ intervalMs: 60_000, ...options })
  onTestFinished(() => replay.close())
  return replay
}

/** A table that only counts, fails when told to, and remembers how it was asked. */
function fakeTable() {
  const seqs: number[] = []
  return {
    seqs,
    down: false,
    async insert(events: readonly { readonly seq: number }[]) {
      if (this.down) throw new Problem('store_unavailable', 'down')
      seqs.push(...events.map(({ seq }) => seq))
      return events.length
    },
    async lastSequence() {
      return seqs.at(-1) ?? 0
    },
    async deleteBefore() {
      return 0
    },
  }
}

describe('the activity table', () => {
  test('follows the trail, over segments and in batches', async () => {
    const dataDir = tempDir()
    const table = await aTable(dataDir)
    const trail = await aTrail(dataDir, { segmentBytes: 2_000 })
    const replay = aReplay({ trail, table, batch: 7 })
    for (let n = 1; n <= 40; n += 1) await trail.append(anEvent(n))
    await replay.catchUp()
    expect(await table.lastSequence()).toBe(40)
    await trail.append(anEvent(41, { session_hashes: [trail.sessionHash('p', 'call-1')], bytes: 10, status: 200 }))
    await replay.catchUp()
    expect(await table.summary(all)).toMatchObject({ requests: 41 })
  })

  test('follows by itself', async () => {
    const trail = await aTrail(tempDir())
    const table = fakeTable()
    aReplay({ trail, table, intervalMs: 5 })
    await trail.append(anEvent(1))
    await expect.poll(() => table.seqs).toEqual([1])
    await trail.append(anEvent(2))
    await expect.poll(() => table.seqs).toEqual([1, 2])
  })

  test('goes on where it stands at the next start, and takes nothing twice', async () => {
    const dataDir = tempDir()
    const table = await aTable(dataDir)
    const before = await aTrail(dataDir)
    for (let n = 1; n <= 5; n += 1) await before.append(anEvent(n))
    const replayBefore = aReplay({ trail: before, table })
    await replayBefore.catchUp()
    await before.append(anEvent(6))
    await replayBefore.close()
    await before.close()

    const trail = await aTrail(dataDir, { replayed: await table.lastSequence() })
    await trail.append(anEvent(7))
    const insert = vi.spyOn(table, 'insert')
    await aReplay({ trail, table }).catchUp()
    expect(insert.mock.calls.flatMap(([events]) => events.map(({ seq }) => seq))).toEqual([6, 7])
    expect(await table.summary(all)).toMatchObject({ requests: 7 })
  })

  test('is made anew from the trail where the store is new', async () => {
    const dataDir = tempDir()
    const trail = await aTrail(dataDir, { segmentBytes: 500 })
    for (let n = 1; n <= 10; n += 1) await trail.append(anEvent(n))
    const table = await aTable(tempDir())
    await aReplay({ trail, table }).catchUp()
    expect(await table.summary(all)).toMatchObject({ requests: 10 })
  })

  test('that fails or hangs holds up no append, and catches up later', async () => {
    const trail = await aTrail(tempDir())
    const table = fakeTable()
    const log = keptLog()
    table.down = true
    aReplay({ trail, table, log, intervalMs: 5 })
    await trail.append(anEvent(1))
    await expect.poll(() => log.said).toContain('the activity table falls behind the audit trail; trying again')
    await trail.append(anEvent(2))
    expect(trail.health()).toBeUndefined()
    table.down = false
    await expect.poll(() => table.seqs).toEqual([1, 2])
    await expect.poll(() => log.said.at(-1)).toBe('the activity table follows the audit trail again')
    expect(log.said, 'one warning for the whole outage').toHaveLength(2)

    let release = () => undefined as void
    table.insert = () => new Promise(resolve => (release = () => resolve(1)))
    const insert = vi.spyOn(table, 'insert')
    await trail.append(anEvent(3))
    await expect.poll(() => insert.mock.calls.length).toBe(1)
    await trail.append(anEvent(4))
    expect(trail.lastSequence).toBe(4)
    release()
  })

  test('takes what can be read where the trail is damaged, and the log says where', async () => {
    const dataDir = tempDir()
    const before = await aTrail(dataDir)
    for (let n = 1; n <= 5; n += 1) await before.append(anEvent(n))
    await before.close()
    const segment = join(dataDir, 'activity', '0000000000000001.jsonl')
    await writeFile(segment, (await readFile(segment, 'utf8')).replace('request-3', 'request-9'))
    const trail = await aTrail(dataDir)
    const table = fakeTable()
    const log = keptLog()
    await aReplay({ trail, table, log }).catchUp()
    expect(table.seqs).toEqual([1, 2, 4, 5])
    expect(log.said).toEqual(['the audit trail is damaged'])
  })

  test('never holds what is not durable', async () => {
    const dataDir = tempDir()
    const trail = await aTrail(dataDir)
    await trail.append(anEvent(1))
    const table = fakeTable()
    const replay = aReplay({ trail, table })
    // Bytes behind the durable end, as a write under way leaves them.
    const segment = join(dataDir, 'activity', trail.end.segment)
    const line = await readFile(segment)
    await writeFile(segment, Buffer.concat([line, line]))
    await replay.catchUp()
    expect(table.seqs).toEqual([1])
  })

  test('forgets what is too old', async () => {
    const dataDir = tempDir()
    const table = await aTable(dataDir)
    const trail = await aTrail(dataDir)
    await trail.append(anEvent(1, { at: '2026-01-01T00:00:00.000Z' }))
    await trail.append(anEvent(2, { at: '2026-03-14T00:00:00.000Z' }))
    const clock = () => Date.parse('2026-03-15T00:00:00Z')
    aReplay({ trail, table, clock, retentionMs: 30 * 24 * 60 * 60 * 1000, intervalMs: 5 })
    await expect.poll(() => table.summary(all)).toMatchObject({ requests: 1 })
    expect(await table.lastSequence()).toBe(2)
  })
})
