import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { LoopShare } from '../../src/admission/loop-share.js'

const share = () => new LoopShare({ what: 'pipelines to be read', waitingOfKey: 2, waitingOfProject: 4 })

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
    let turns = 0
    const ticking = setImmediate(() => (turns += 1))
    for (let i = 0; i < 100; i += 1) await reading.run({ project: 'p', key: 'k' }, {}, () => i)
    clearImmediate(ticking)
    expect(turns).toBe(0)
  })

  test('who has too many waiting is told so, and work that fails counts as well', async () => {
    const reading = share()
    const asking = { project: 'p', key: 'k' }
    const failing = reading.run(asking, {}, () => {
      hold(20)
      throw new Error('not a pipeline')
    })
    await expect(failing).rejects.toThrow('not a pipeline')
    const ended = new AbortController()
    const waiting = [1, 2].map(() => reading.run(asking, { signal: ended.signal }, () => 0))
    await expect(reading.run(asking, {}, () => 0)).rejects.toMatchObject({ code: 'busy' })
    ended.abort()
    expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await sleep(0)
  })
})
