import { expect, it } from 'vitest'
import type { Shelf } from '../../../src/store/shelf.js'
import type { Store } from '../../../src/store/store.js'
import type { World } from './world.js'

const AT = '2026-03-01T00:00:00.000Z'
const made = { created_at: AT, created_by: 'ada' }

/** What a shelf promises, tried with records of its kind. */
function shelf<P extends keyof Store, T extends { readonly project_id: string }>(
  what: string,
  of: (store: Pick<Store, P>) => Shelf<T>,
  record: (project_id: string, id: string) => T,
  changes: Partial<T>,
): (world: World<P>) => void {
  return world => {
    it(`${what} are kept as they came, the last of a project and id; what is removed is gone`, async () => {
      const [ours, theirs] = [world.project(), world.project()]
      const found = async () => (await of(world.store).all()).filter(one => [ours, theirs].includes(one.project_id))
      const { put, remove } = bound(of(world.store))
      for (const id of ['b', 'a', 'c']) await put(record(ours, id))
      await put(record(theirs, 'a'))
      await put({ ...record(ours, 'b'), ...changes })
      await remove(ours, 'c')
      await remove(theirs, 'b')
      const left = [record(ours, 'a'), { ...record(ours, 'b'), ...changes }, record(theirs, 'a')]
      expect(await world.stays(found)).toEqual(left)
    })

    it(`${what}: of several writes of one id at once one is left`, async () => {
      const project = world.project()
      const { put } = bound(of(world.store))
      await Promise.all([1, 2, 3].map(() => put(record(project, 'a'))))
      expect((await of(world.store).all()).filter(one => one.project_id === project)).toEqual([record(project, 'a')])
    })
  }
}

const bound = <T>(kept: Shelf<T>) => ({
  put: (record: T) => kept.put(record),
  remove: (projectId: string, id: string) => kept.remove(projectId, id),
})

export const teamShelf = shelf(
  'teams',
  ({ teams }: Pick<Store, 'teams'>) => teams,
  (project_id, team_id) => ({ project_id, team_id, name: `O'Neil "é"`, agents: ['Ana', '返品'], ...made }),
  { agents: [], changed_at: AT },
)

export const webhookShelf = shelf(
  'webhooks',
  ({ events }: Pick<Store, 'events'>) => events.webhooks,
  (project_id, webhook_id) => ({
    project_id,
    webhook_id,
    url: 'https://hooks.example.com/',
    events: ['key.minted'],
    active: true,
    secrets: [],
    ...made,
  }),
  { active: false },
)

export const alertShelf = shelf(
  'alerts',
  ({ events }: Pick<Store, 'events'>) => events.alerts,
  (project_id, alert_id) => ({
    project_id,
    alert_id,
    name: 'Low',
    condition: { below: 2.5, 'odd "key"': [null] },
    agents: [],
    cooldown_seconds: 60,
    active: true,
    ...made,
  }),
  { last_triggered_at: AT },
)

export const mappingShelf = shelf(
  'mappings',
  ({ imports }: Pick<Store, 'imports'>) => imports.mappings,
  (project_id, mapping_id) => ({ project_id, mapping_id, map: ['score=Punkte ü'], agent_speaker: ['A'], ...made }),
  { map: [], time_zone: 'Europe/Berlin' },
)

export const inboundShelf = shelf(
  'inbound webhooks',
  ({ imports }: Pick<Store, 'imports'>) => imports.inbound,
  (project_id, webhook_id) => ({ project_id, webhook_id, name: 'In', kind: 'twilio', secret: 'sealed', ...made }),
  { secret: 'another' },
)

export function takenPromises(world: World<'imports'>): void {
  it('what an inbound webhook took is known by its digest, until it is forgotten', async () => {
    const { imports } = world.store
    const [hook, other] = [world.project(), world.project()]
    await imports.take(hook, 'a', 1_000, 0)
    await imports.take(hook, 'b', 3_000, 2_000)
    const taken = (webhook: string, digest: string) => world.stays(() => world.store.imports.wasTaken(webhook, digest))
    expect(await taken(hook, 'b')).toBe(true)
    expect(await taken(hook, 'a')).toBe(false)
    expect(await taken(other, 'b')).toBe(false)
  })
}
