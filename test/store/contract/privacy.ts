import { describe, expect, it } from 'vitest'
import type { ApprovalRecord } from '../../../src/store/records/approval.js'
import type { HoldRecord } from '../../../src/store/records/hold.js'
import { call } from '../duckdb/support.js'
import type { World } from './world.js'

const AT = '2026-03-01T00:00:00.000Z'

export function holdPromises(world: World<'calls' | 'privacy'>): void {
  const hold = (project_id: string, hold_id: string, more: Partial<HoldRecord>): HoldRecord => ({
    project_id,
    hold_id,
    name: 'Matter 7',
    created_at: AT,
    created_by: 'ada',
    ...more,
  })

  describe('what a hold keeps', () => {
    it('is neither erased nor replaced, until it is released', async () => {
      const [ours, theirs] = [world.project(), world.project()]
      const { calls, privacy } = world.store
      const three = [call('a', { title: 'as it was' }), call('b', { customer_display_name: ' ACME ' }), call('c')]
      for (const project of [ours, theirs]) await calls.upsert(project, three)
      await privacy.placeHold(hold(ours, 'h1', { session_ids: ['a'] }))
      await privacy.placeHold(hold(ours, 'h2', { customer: 'acme', created_at: '2026-03-02T00:00:00.000Z' }))
      expect([...(await privacy.heldAmong(ours, ['a', 'b', 'c']))].toSorted()).toEqual(['a', 'b'])
      expect(await privacy.heldAmong(theirs, ['a', 'b', 'c'])).toEqual([])
      expect(await privacy.heldBy(ours, 'h2')).toBe(1)
      expect(await calls.eraseAll(ours, ['a', 'b', 'c'])).toBe(1)
      expect(await calls.upsert(ours, [call('a', { title: 'anew' })])).toMatchObject({ stored: 0, held: ['a'] })
      expect(await calls.eraseTranscripts(ours, ['a'])).toBe(0)
      expect(await privacy.releaseHold(ours, 'h1')).toEqual(hold(ours, 'h1', { session_ids: ['a'] }))
      expect(await privacy.releaseHold(ours, 'h1')).toBeUndefined()
      expect(await calls.eraseAll(ours, ['a', 'b'])).toBe(1)
      const holds = async () => (await world.store.privacy.holds(ours)).map(({ hold_id }) => hold_id)
      expect(await world.stays(holds)).toEqual(['h2'])
      const of = (project: string) => world.stays(() => world.store.privacy.callsOf(project, { customer: 'Acme' }))
      expect(await of(ours)).toMatchObject([{ session_id: 'b', held: true }])
      expect(await of(theirs)).toMatchObject([{ session_id: 'b', held: false }])
    })

    it('keeps no more holds than a project may have, however many are placed at once', async () => {
      const [ours, theirs] = [world.project(), world.project()]
      const { privacy } = world.store
      await privacy.placeHold(hold(theirs, 'h0', { session_ids: ['a'] }), 3)
      const ids = Array.from({ length: 8 }, (_, i) => `h${i}`)
      const placed = await Promise.all(
        ids.map(async id => await privacy.placeHold(hold(ours, id, { session_ids: ['a'] }), 3)),
      )
      expect(placed.filter(Boolean)).toHaveLength(3)
      expect(await privacy.holds(ours)).toHaveLength(3)
      expect(await privacy.placeHold(hold(ours, 'moved here', { session_ids: ['a'] }))).toBe(true)
      expect(await world.stays(async () => (await world.store.privacy.holds(ours)).length)).toBe(4)
    })

    it('has erasures counted beside it, newest first, with nothing that says which', async () => {
      const project = world.project()
      const { calls } = world.store
      await calls.upsert(project, [call('secret-a'), call('secret-b'), call('secret-c')])
      await calls.eraseAll(project, ['secret-a'], { how: 'call', by: 'ada' })
      await calls.eraseAll(project, ['secret-b', 'secret-c'], { how: 'retention', by: 'nightly' })
      const noted = () => world.store.privacy.erasures(project, 9)
      const found = await world.stays(noted)
      expect(found).toMatchObject([
        { how: 'retention', erased_by: 'nightly', calls: 2 },
        { how: 'call', erased_by: 'ada', calls: 1 },
      ])
      expect(JSON.stringify(found)).not.toContain('secret')
      expect(await world.store.privacy.erasures(project, 1)).toHaveLength(1)
    })
  })
}

export function approvalPromises(world: World<'privacy'>): void {
  it('of several who confirm at once one does, and of several who take what was confirmed one gets it', async () => {
    const [project_id, other] = [world.project(), world.project()]
    const { privacy } = world.store
    const asked: ApprovalRecord = {
      project_id,
      approval_id: 'a1',
      action: 'POST /x',
      asked: '{}',
      digest: 'd',
      requested_at: AT,
      requested_by: 'ada',
      requested_subject: 's',
      expires_at: AT,
    }
    await privacy.putApproval(asked)
    await privacy.putApproval({ ...asked, approval_id: 'a2', requested_at: '2026-03-02T00:00:00.000Z' })
    const confirmed = ['bea', 'cem', 'dov'].map(confirmed_by => ({ ...asked, confirmed_at: AT, confirmed_by }))
    const won = await Promise.all(confirmed.map(one => privacy.confirmApproval(one)))
    expect(won.filter(Boolean)).toHaveLength(1)
    const found = () => world.store.privacy.approvals(project_id)
    expect(await found()).toMatchObject([confirmed[won.indexOf(true)], { approval_id: 'a2' }])
    expect(await privacy.takeApproval(other, 'a1')).toBe(false)
    const took = await Promise.all([1, 2, 3].map(() => privacy.takeApproval(project_id, 'a1')))
    expect(took.filter(Boolean)).toHaveLength(1)
    expect(await privacy.confirmApproval(asked)).toBe(false)
    expect(await world.stays(found)).toMatchObject([{ approval_id: 'a2' }])
  })
}
