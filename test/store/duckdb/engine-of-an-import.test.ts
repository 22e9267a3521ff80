import { describe, expect, it } from 'vitest'
import { call, openStore, rows } from './support.js'

describe('the engine of an import', () => {
  it('is closed and opened again after so many writes, and nothing is lost or refused meanwhile', async () => {
    const store = await openStore({ renewAfterWrites: 3, threads: 2 })
    for (let batch = 0; batch < 10; batch += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one batch after the other, as an import writes them
      const [written, found] = await Promise.all([
        store.calls.upsert('p', [call(`a${batch}`), call(`b${batch}`)]),
        store.calls.agentIds('p'),
      ])
      expect(written.stored).toBe(2)
      expect(found.size).toBeLessThanOrEqual(1)
    }
    expect(await rows(store, 'select count(*) from calls')).toEqual([[20n]])
    expect(store.notReady()).toBeUndefined()
  })

  it('begins small, and takes the memory that long calls need when they come', async () => {
    const text = 'all work and no play '.repeat(40)
    const long = (id: string) =>
      call(id, { transcript: Array.from({ length: 9_000 }, (_, turn) => ({ turn, actor: 'agent', text })) })
    const small = await openStore({ memoryLimit: '48MiB' })
    await expect(small.calls.upsert('p', [long('s1')])).rejects.toThrow(/memory/)
    const store = await openStore({ memoryLimit: '512MiB', smallMemory: ['48MiB'] })
    await store.calls.upsert('p', [call('s0')])
    await store.calls.upsert('p', [call('s1'), long('s2')])
    expect(await rows(store, 'select session_id, len(transcript) from calls order by 1')).toEqual([
      ['s0', null],
      ['s1', null],
      ['s2', 9_000n],
    ])
  })

  it('that is too small for a checkpoint, or for what it is given, is made larger and loses nothing', async () => {
    const store = await openStore({ memoryLimit: '512MiB', smallMemory: ['48MiB'], checkpointFrom: '1MB' })
    const text = 'work and play '.repeat(100)
    const transcript = Array.from({ length: 20 }, (_, turn) => ({ turn, actor: 'agent', text }))
    for (let batch = 0; batch < 6; batch += 1) {
      const calls = Array.from({ length: 60 }, (_, i) => call(`s${batch}-${i}`, { transcript }))
      // oxlint-disable-next-line no-await-in-loop -- one batch after the other, as an import writes them
      await store.calls.upsert('p', calls)
    }
    expect(await rows(store, 'select count(*), sum(len(transcript)) from calls')).toEqual([[360n, 7_200n]])
    expect(store.notReady()).toBeUndefined()
  })

  it('takes the next larger memory for many lifts, no more', async () => {
    const store = await openStore({ memoryLimit: '512MiB', smallMemory: ['48MiB', '64MiB'] })
    const memory = () => rows(store, "select current_setting('memory_limit')")
    const query = { evaluator: 'rules' as const, rubric: 'r', rubricVersion: '1', signals: [], parts: [], times: '' }
    const some = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ place: { key: BigInt(at), evaluated: 0n }, lift: undefined }))
    await store.calls.upsert('p', [call('s1')])
    await store.calls.writeLifts('p', query, { from: 0n, to: 9n }, some(10))
    expect(await memory()).toEqual([['48.0 MiB']])
    await store.calls.writeLifts('p', query, { from: 0n, to: 2_000n }, some(2_000))
    expect(await memory()).toEqual([['64.0 MiB']])
  })
})
