import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { FairThreads } from '../../src/admission/fair-threads.js'
import type { ThreadWork } from '../../src/admission/threads.js'
import { Overrun } from '../../src/base/overrun.js'
import { Problem } from '../../src/base/problem.js'
import { tempDir } from '../support/temp-dir.js'

const WORK = `
const works = {
  twice: number => number * 2,
  held: flag => { Atomics.wait(flag, 0, 0); return 'let go' },
  endless: flag => { Atomics.add(flag, 0, 1); Atomics.notify(flag, 0); for (;;); },
  hungry: () => { for (const held = []; ;) held.push(new Array(100_000).fill('x')) },
  broken: () => { throw new TypeError('a fault of ours') },
}
export const tenantWork = ({ name, task }) => works[name](task)
`
/** Far more than anything here takes but what never ends. */
const LONG_MS = 600_000

const twice: ThreadWork<number, number> = { name: 'twice', deadlineMs: LONG_MS }
const held: ThreadWork<Int32Array, string> = { name: 'held', deadlineMs: LONG_MS }
const endless = (deadlineMs: number): ThreadWork<Int32Array, never> => ({ name: 'endless', deadlineMs })

let threads: FairThreads
afterEach(() => threads.close())

function start(count = 2): FairThreads {
  const file = join(tempDir(), 'work.mjs')
  writeFileSync(file, WORK)
  threads = new FairThreads({ file, threads: count, together: true, heapMib: 32, youngHeapMib: 8 })
  return threads
}

const by = (project: string, key = 'k') => ({ requester: { project, key } })
const flag = () => new Int32Array(new SharedArrayBuffer(4))
const open = (gate: Int32Array) => {
  Atomics.store(gate, 0, 1)
  Atomics.notify(gate, 0)
}

describe('threads for the work on what tenants send', () => {
  test('do work and hand on what it throws', async () => {
    start()
    expect(await threads.run(twice, 21, by('a'))).toBe(42)
    await expect(threads.run({ name: 'broken', deadlineMs: LONG_MS }, null, by('a'))).rejects.toThrow('a fault of ours')
  })

  test('end what takes too long or too much memory, which costs nobody else anything', async () => {
    start()
    // What is left of the time for a question is no round number.
    const late = threads.run(endless(5_000.0375), flag(), by('a'))
    await expect(late).rejects.toThrow(new Overrun('took more than 5 s'))
    const hungry = threads.run({ name: 'hungry', deadlineMs: LONG_MS }, null, by('a'))
    await expect(hungry).rejects.toThrow(new Overrun('took more than 32 MiB of memory'))
    expect(await threads.run(twice, 1, by('a'))).toBe(2)
  })

  test('leave one to a project that has nothing running, however much another one wants', async () => {
    start()
    const gate = flag()
    const many = Array.from({ length: 8 }, (_, n) => threads.run(held, gate, by('greedy', `key ${n}`)))
    expect(threads.load).toEqual({ running: 1, waiting: 7 })
    expect(await threads.run(twice, 1, by('quiet'))).toBe(2)
    open(gate)
    expect(await Promise.all(many)).toEqual(Array.from({ length: 8 }, () => 'let go'))
  })

  test('stop when whoever asked is gone or may hear nothing any more, waiting or at work', async () => {
    start()
    const [running, waiting] = [new AbortController(), new AbortController()]
    const began = flag()
    const first = threads.run(endless(LONG_MS), began, { ...by('a'), signal: running.signal })
    const second = threads.run(twice, 1, { ...by('a'), signal: waiting.signal })
    await expect.poll(() => Atomics.load(began, 0)).toBe(1)
    waiting.abort()
    await expect(second).rejects.toMatchObject({ code: 'cancelled' })
    running.abort(new Problem('unauthenticated', 'Invalid or inactive API key'))
    await expect(first).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(await threads.run(twice, 1, by('a'))).toBe(2)
  })

  test('end whatever they do when they are closed, and take no more', async () => {
    start()
    const began = flag()
    const ended = threads.run(endless(LONG_MS), began, by('a')).catch((error: unknown) => error)
    await expect.poll(() => Atomics.load(began, 0)).toBe(1)
    await threads.close()
    expect(await ended).toMatchObject({ code: 'cancelled' })
    await expect(threads.run(twice, 1, by('a'))).rejects.toMatchObject({ code: 'cancelled' })
  })
})
