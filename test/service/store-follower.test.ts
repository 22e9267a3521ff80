import { expect, it, onTestFinished } from 'vitest'
import { StoreFollower } from '../../src/service/store-follower.js'
import type { Followed } from '../../src/store/shared-records.js'
import type { RecordKind } from '../../src/store/versions.js'

/** A store whose versions another process raises, and that may not answer; time passes by hand. */
function world(kinds: readonly RecordKind[] = ['keys']) {
  const said: string[] = []
  const state = {
    now: 0,
    versions: new Map<string, number>(),
    answers: async (): Promise<void> => undefined,
    fails: undefined as RecordKind | undefined,
    hangs: undefined as RecordKind | undefined,
  }
  const log = {
    warn: (_: object, message: string) => void said.push(message),
    info: (message: string) => void said.push(message),
  }
  const done: string[] = []
  const follower = new StoreFollower({
    versions: {
      read: async () => {
        await state.answers()
        return state.versions
      },
    },
    log: log as never,
    clock: () => state.now,
  })
  const followed = kinds.map((kind): Followed => {
    const tried = async (how: string) => {
      if (state.fails === kind) throw new Error('a record that this program can not read')
      if (state.hangs === kind) await new Promise(() => undefined)
      done.push(`${how} ${kind}`)
    }
    return { kind, follow: () => tried('follow'), reload: () => tried('reload') }
  })
  follower.add(...followed)
  onTestFinished(() => follower.stop())
  return { follower, said, done, state }
}

it('lets nobody in once versions could not be read for five seconds, and again as soon as they are', async () => {
  const { follower, said, state } = world()
  await follower.look()
  state.answers = () => Promise.reject(new Error('gone'))
  state.now = 5_000
  await follower.look()
  expect(follower.refuseStale()).toBeUndefined()
  state.now = 5_001
  expect(follower.refuseStale).toThrow('The store does not tell what other processes changed')
  expect(follower.notReady()).toEqual({ code: 'store_unavailable' })
  await follower.look()
  expect(said).toEqual(['What other processes changed could not be read'])
  state.answers = async () => undefined
  await follower.look()
  expect(follower.notReady()).toBeUndefined()
  expect(said).toHaveLength(2)
})

it('lets nobody in where keys can’t be read anew, and everybody where only tasks can’t', async () => {
  const { follower, state } = world(['tasks', 'keys'])
  state.now = 10_000
  state.fails = 'tasks'
  await follower.look()
  expect(follower.notReady()).toBeUndefined()
  state.now = 20_000
  state.fails = 'keys'
  await follower.look()
  expect(follower.notReady()).toEqual({ code: 'store_unavailable' })
})

it('lets everybody in while alerts wait for a process that died, and does not wait for them once more at each look', async () => {
  const { follower, done, state } = world(['alerts', 'keys'])
  state.hangs = 'alerts'
  await follower.look()
  state.hangs = undefined
  for (state.now = 1_000; state.now <= 10_000; state.now += 1_000) await follower.look()
  expect(follower.notReady()).toBeUndefined()
  expect(new Set(done)).toEqual(new Set(['follow keys']))
})

it('reads everything anew each half a minute, whatever the versions say', async () => {
  const { follower, done, state } = world()
  await follower.look()
  state.now = 29_000
  await follower.look()
  state.now = 30_000
  await follower.look()
  state.now = 31_000
  await follower.look()
  expect(done).toEqual(['follow keys', 'follow keys', 'reload keys', 'follow keys'])
})

it('who asks while it looks is given a look that began afterwards, which all share', async () => {
  const { follower, done, state } = world()
  const gates: (() => void)[] = []
  state.answers = () => new Promise<void>(resolve => void gates.push(resolve))
  const first = follower.look()
  const [second, third] = [follower.look(), follower.look()]
  await expect.poll(() => gates).toHaveLength(1)
  gates[0]?.()
  await first
  expect(done).toHaveLength(1)
  await expect.poll(() => gates).toHaveLength(2)
  gates[1]?.()
  await Promise.all([second, third])
  expect(done).toHaveLength(2)
})
