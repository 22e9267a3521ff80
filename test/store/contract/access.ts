import { describe, expect, it } from 'vitest'
import type { OAuthRecord } from '../../../src/store/oauth-store.js'
import type { KeyRecord } from '../../../src/store/records/key.js'
import type { ProjectRecord } from '../../../src/store/records/project.js'
import type { World } from './world.js'

const AT = '2026-03-03T08:00:00.000Z'

export function keyPromises(world: World<'keys'>): void {
  const key = (project: string, n = 1): KeyRecord => ({
    key_id: `${project}-k${n}`,
    name: `Desk "${n}" é`,
    key_hash: 'ab12',
    key_preview: 'esk_abcd…wxyz',
    project_id: project,
    active: true,
    is_supervisor: true,
    roles: ['Admin'],
    allowed_agents: [],
    require_mapping: false,
    created_at: '2026-03-01T12:00:00.000Z',
    created_by: 'admin@example.com',
  })
  const keysOf = async (project: string) => (await world.store.keys.all()).filter(one => one.project_id === project)

  describe('keys', () => {
    it('are kept as they came, by their ids', async () => {
      const project = world.project()
      const expiring = { ...key(project, 2), expires_at: '2026-04-01T00:00:00.000Z', last_used_at: AT }
      await world.store.keys.insert(key(project))
      await world.store.keys.insert(expiring)
      expect(await world.stays(() => keysOf(project))).toEqual([key(project), expiring])
    })

    it('have an id that no second one gets, also of two at once', async () => {
      const project = world.project()
      const both = await Promise.allSettled([1, 2].map(() => world.store.keys.insert(key(project))))
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      await expect(world.store.keys.insert(key(project))).rejects.toMatchObject({ code: 'conflict' })
    })

    it('are revoked without forgetting when they were last used', async () => {
      const project = world.project()
      await world.store.keys.insert(key(project))
      await world.store.keys.touch(
        new Map([
          [key(project).key_id, AT],
          [`${project}-gone`, AT],
        ]),
      )
      const { last_used_at: _, ...read } = (await keysOf(project))[0]!
      await world.store.keys.update({ ...read, active: false })
      const revoked = [{ ...key(project), active: false, last_used_at: AT }]
      expect(await world.stays(() => keysOf(project))).toEqual(revoked)
    })

    it('that are not there are not changed', async () => {
      const update = world.store.keys.update(key(world.project(), 9))
      await expect(update).rejects.toMatchObject({ code: 'not_found' })
    })
  })
}

export function projectPromises(world: World<'projects'>): void {
  const project = (id: string): ProjectRecord => ({
    project_id: id,
    name: 'North',
    timezone: 'Europe/Berlin',
    verticals: ['retail'],
    created_at: '2026-03-01T12:00:00.000Z',
  })

  describe('projects', () => {
    it('are kept, and replaced', async () => {
      const id = world.project()
      await world.store.projects.insert(project(id))
      await world.store.projects.update({ ...project(id), name: 'North East' })
      const found = async () => (await world.store.projects.all()).filter(({ project_id }) => project_id === id)
      expect(await world.stays(found)).toEqual([{ ...project(id), name: 'North East' }])
    })

    it('have an id that no second one gets; one that is not there is not changed', async () => {
      const id = world.project()
      await world.store.projects.insert(project(id))
      await expect(world.store.projects.insert(project(id))).rejects.toMatchObject({
        code: 'conflict',
        message: `Project "${id}" exists already`,
      })
      await expect(world.store.projects.update(project('nowhere'))).rejects.toMatchObject({ code: 'not_found' })
    })
  })
}

export function signInPromises(world: World<'oauth'>): void {
  it('sign-ins are kept by kind and hash, the last one counts, and what is removed is gone', async () => {
    const { oauth } = world.store
    const hash = world.project()
    const token = { kind: 'RefreshToken', id_hash: hash, payload: { a: 1 }, expires_at: AT } as const
    const grant: OAuthRecord = { ...token, kind: 'Grant', narrowing: { agents: ['Ana'], text: 'masked' } }
    for (const one of [token, grant, { ...token, payload: { a: 2 } }]) await oauth.put(one)
    await oauth.put({ ...token, kind: 'Client' })
    await oauth.remove([
      { kind: 'Client', id_hash: hash },
      { kind: 'Client', id_hash: 'nowhere' },
    ])
    const found = async () => (await world.store.oauth.all()).filter(({ id_hash }) => id_hash === hash)
    expect(await world.stays(found)).toEqual([grant, { ...token, payload: { a: 2 } }])
  })
}
