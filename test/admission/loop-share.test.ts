import { describe, expect, test, vi } from 'vitest'
import { LoopShare } from '../../src/admission/loop-share.js'

const share = () => new LoopShare('pipelines to be read')

/** Holds this thread, as reading something large does. */
function hold(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

describe('time of the thread that answers', () => {
  test('what was long is followed by a rest, in which other projects begin and its own wait', async () => {
    const reading = share()
    const done: string[] = []
    const read = (project: string, key: string, ms: number) =>
      reading.run({ project, key }, {}, () => {
        hold(ms)
        done.push(`${project} ${key}`)
      })
    const large = [read('loud', 'a', 20), read('loud', 'a', 5), read('loud', 'b', 5)]
    await Promise.race(large)
    await read('quiet', 'a', 0)
    expect(done).toEqual(['loud a', 'quiet a'])
    await Promise.all(large)
    expect(done.slice(2).toSorted()).toEqual(['loud a', 'loud b'])
  })

  test('what is short is not', async () => {
    const reading = share()
    // Time as it passes here: a busy machine can keep this thread waiting for longer than what is short takes.
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    let turns = 0
    const ticking = setImmediate(() => (turns += 1))
    for (let i = 0; i < 100; i += 1) await reading.run({ project: 'p', key: 'k' }, {}, () => (now += 4))
    clearImmediate(ticking)
    expect(turns).toBe(0)
  })

  test('many at once that are short all begin at once', async () => {
    const reading = share()
    const begun: number[] = []
    const all = Array.from({ length: 200 }, (_, i) => reading.run({ project: 'p', key: 'k' }, {}, () => begun.push(i)))
    expect(begun).toHaveLength(200)
    await Promise.all(all)
  })

  test('work that fails counts as well, and who no longer wants his turn leaves', async () => {
    const reading = share()
    const asking = { project: 'p', key: 'k' }
    const failing = reading.run(asking, {}, () => {
      hold(20)
      throw new Error('not a pipeline')
    })
    const ended = new AbortController()
    const waiting = reading.run(asking, { signal: ended.signal }, () => 0)
    ended.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
    await expect(failing).rejects.toThrow('not a pipeline')
  })
})
