import { expect, it } from 'vitest'
import type { RecordKind } from '../../../src/store/versions.js'
import type { Store } from '../../../src/store/store.js'
import type { World } from './world.js'

const AT = '2026-03-01T00:00:00.000Z'

export function leasePromises(world: World<'leases'>): void {
  it('a lease is one’s at a time, among all processes, until it is given back; each fence is higher', async () => {
    const [{ leases: here }, { leases: there }] = [world.store, world.beside]
    const name = `lane:${world.project()}`
    const first = await here.take(name)
    expect(first?.mayWrite()).toBeUndefined()
    expect([await there.take(name), await here.take(name)]).toEqual([undefined, undefined])
    expect((await there.take(`${name}x`))?.name).toBe(`${name}x`)
    await first?.release()
    expect(first?.mayWrite).toThrow('Nothing is written')
    const second = await there.take(name)
    expect(second?.fence).toBeGreaterThan(first?.fence ?? Infinity)
    await first?.release()
    expect(second?.mayWrite()).toBeUndefined()
    expect(await here.take(name)).toBeUndefined()
    await second?.release()
  })

  it('of many who take a lease at once one has it', async () => {
    const name = `lane:${world.project()}`
    const taken = await Promise.all([1, 2, 3, 4].map(n => (n % 2 ? world.store : world.beside).leases.take(name)))
    expect(taken.filter(one => one !== undefined)).toHaveLength(1)
  })

  it('a claim is one’s at a time as well, and another’s once it is given back', async () => {
    const [{ leases: here }, { leases: there }] = [world.store, world.beside]
    const name = `question:${world.project()}`
    const first = await here.claim(name)
    expect([await there.claim(name), await here.claim(name)]).toEqual([undefined, undefined])
    await first?.release()
    const second = await there.claim(name)
    await first?.release()
    expect(await here.claim(name)).toBeUndefined()
    await second?.release()
    expect(await here.held(name)).toEqual(new Set())
  })

  it('all see which leases of a prefix somebody has', async () => {
    const prefix = `run:${world.project()}:`
    const [a] = await Promise.all(['a', 'b'].map(name => world.store.leases.take(`${prefix}${name}`)))
    expect(await world.beside.leases.held(prefix)).toEqual(new Set([`${prefix}a`, `${prefix}b`]))
    await a?.release()
    expect(await world.beside.leases.held(prefix)).toEqual(new Set([`${prefix}b`]))
    expect(await world.beside.leases.held(`${prefix}c`)).toEqual(new Set())
  })
}

export function turnPromises(world: World<'turns'>): void {
  it('a turn is one’s at a time, among all processes; what is read in it is so until it ends', async () => {
    const name = world.project()
    let [count, within] = [0, 0]
    const fences = await Promise.all(
      [world.store, world.beside, world.store, world.beside].map(({ turns }) =>
        turns.run(name, async ({ fence, mayWrite }) => {
          const read = count
          within += 1
          expect(within).toBe(1)
          for (let n = 0; n < 20; n += 1) await new Promise(setImmediate)
          mayWrite()
          count = read + 1
          within -= 1
          return fence
        }),
      ),
    )
    expect(count).toBe(4)
    expect(new Set(fences).size).toBe(4)
  })

  it('a turn that leaves no trace is one’s at a time too', async () => {
    const name = world.project()
    const order: string[] = []
    const work = async () => {
      order.push('begins')
      for (let n = 0; n < 20; n += 1) await new Promise(setImmediate)
      order.push('ends')
    }
    await Promise.all([world.store, world.beside, world.store].map(({ turns }) => turns.pass(name, work)))
    expect(order).toEqual(['begins', 'ends', 'begins', 'ends', 'begins', 'ends'])
  })

  it('work that failed does not hold up the next, and turns of other names go on beside', async () => {
    const name = world.project()
    const failed = world.store.turns.run(name, () => Promise.reject(new Error('no')))
    await expect(failed).rejects.toThrow('no')
    const nested = world.beside.turns.run(name, () => world.store.turns.run(`${name}-2`, async () => 'done'))
    expect(await nested).toBe('done')
  })
}

/** A write of each kind, of a project. */
const writes: readonly (readonly [
  RecordKind,
  (store: Pick<Store, keyof Store>, project_id: string) => Promise<unknown>,
])[] = [
  [
    'projects',
    ({ projects }, project_id) =>
      projects.insert({ project_id, name: 'P', timezone: 'UTC', verticals: [], created_at: AT }),
  ],
  [
    'teams',
    ({ teams }, project_id) =>
      teams.put({ project_id, team_id: 't', name: 'T', agents: [], created_at: AT, created_by: 'ada' }),
  ],
  ['alerts', ({ events }, project_id) => events.alerts.remove(project_id, 'none')],
  ['webhooks', ({ events }, project_id) => events.webhooks.remove(project_id, 'none')],
  ['mappings', ({ imports }, project_id) => imports.mappings.remove(project_id, 'none')],
  ['inbound_webhooks', ({ imports }, project_id) => imports.inbound.remove(project_id, 'none')],
  ['connections', ({ oauth }) => oauth.remove([{ kind: 'Grant', id_hash: 'none' }])],
  ['knowledge', ({ knowledge }, project_id) => knowledge.remove(project_id, 'none')],
  ['tasks', ({ tasks }) => tasks.remove('none')],
]

export function versionPromises(world: World<keyof Store>): void {
  it('what another process changes raises the version of its kind; where nobody else can there are none', async () => {
    const there = world.beside.versions
    const isAlone = world.beside === world.store
    let before = await there.read()
    for (const [kind, write] of writes) {
      await write(world.store, world.project())
      const after = await there.read()
      const risen = [...after].filter(([name, version]) => version > (before.get(name) ?? 0)).map(([name]) => name)
      expect(risen).toEqual(isAlone ? [] : [kind])
      before = after
    }
  })
}
