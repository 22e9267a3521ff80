import { expect, it } from 'vitest'
import { InProcessTurns } from '../../src/store/in-process-turns.js'
import { SharedRecords, type Sharing } from '../../src/store/shared-records.js'

interface One {
  readonly id: string
  readonly n: number
}

/** A store of one kind, with a registry for each of its processes. */
function world() {
  const stored = new Map<string, One>()
  const versions = new Map<string, number>()
  const sharing: Sharing = { turns: new InProcessTurns(), versions: { read: async () => new Map(versions) } }
  const raise = () => void versions.set('teams', (versions.get('teams') ?? 0) + 1)
  const put = async (one: One) => {
    stored.set(one.id, one)
    raise()
  }
  const remove = async (id: string) => {
    stored.delete(id)
    raise()
  }
  const process = async () => {
    const heard: string[] = []
    let reads = 0
    const records = new SharedRecords<One>({
      kind: 'teams',
      sharing,
      all: async () => {
        reads += 1
        return [...stored.values()].map(one => ({ ...one }))
      },
      idOf: one => one.id,
      changed: (after, before) => void heard.push(`${before?.n ?? '-'} > ${after?.n ?? '-'}`),
    })
    await records.load()
    const follow = () => sharing.versions.read().then(now => records.follow(now))
    return { records, heard, follow, reads: () => reads }
  }
  return { stored, sharing, put, remove, process }
}

it('what one process did is known to the others when they follow, whose listeners are told; what is the same stays the object it was', async () => {
  const { put, remove, process } = world()
  const [a, b] = [await process(), await process()]
  await a.records.run(() => a.records.put({ id: 'x', n: 1 }, () => put({ id: 'x', n: 1 })))
  await a.records.run(() => a.records.put({ id: 'y', n: 1 }, () => put({ id: 'y', n: 1 })))
  expect(b.records.get('x')).toBeUndefined()
  await b.follow()
  const x = b.records.get('x')
  await a.records.run(() => a.records.put({ id: 'y', n: 2 }, () => put({ id: 'y', n: 2 })))
  await b.follow()
  expect(b.records.get('x')).toBe(x)
  expect(b.records.get('y')).toEqual({ id: 'y', n: 2 })
  await a.records.run(() => a.records.remove('x', () => remove('x')))
  await b.follow()
  expect(b.heard).toEqual(['- > 1', '- > 1', '1 > 2', '1 > -'])
  expect(a.heard).toEqual([])
  const before = b.reads()
  await b.follow()
  expect(b.reads()).toBe(before)
})

it('what is looked at and then written in a turn is so among all: of those who make one at once one does', async () => {
  const { put, process, stored } = world()
  const both = [await process(), await process()]
  const made = await Promise.all(
    both.map(({ records }, n) =>
      records.run(async () => {
        if (records.get('x') !== undefined) return false
        await records.put({ id: 'x', n }, () => put({ id: 'x', n }))
        return true
      }),
    ),
  )
  expect(made.filter(Boolean)).toHaveLength(1)
  expect(stored.get('x')?.n).toBe(made.indexOf(true))
})

it('what was dropped is not there again while the store still has it', async () => {
  const { put, remove, process } = world()
  const a = await process()
  await a.records.write({ id: 'x', n: 1 }, () => put({ id: 'x', n: 1 }))
  const gate: (() => void)[] = []
  const dropping = a.records.drop(['x'], () =>
    new Promise<void>(resolve => void gate.push(resolve)).then(() => remove('x')),
  )
  expect(a.records.get('x')).toBeUndefined()
  const reloading = a.records.reload()
  await expect.poll(() => gate).toHaveLength(1)
  gate[0]?.()
  await Promise.all([dropping, reloading])
  expect(a.records.get('x')).toBeUndefined()
})

it('a write that fails leaves what was there', async () => {
  const { put, process } = world()
  const a = await process()
  await a.records.write({ id: 'x', n: 1 }, () => put({ id: 'x', n: 1 }))
  const failed = a.records.run(() => a.records.put({ id: 'x', n: 2 }, () => Promise.reject(new Error('disk full'))))
  await expect(failed).rejects.toThrow('disk full')
  expect(a.records.get('x')).toEqual({ id: 'x', n: 1 })
})
