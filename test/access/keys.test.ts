import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DayBudgets } from '../../src/admission/day-budgets.js'
import { newKey } from '../../src/access/key-fields.js'
import { tokenHash } from '../../src/access/key-tokens.js'
import { type KeyEvent, Keys } from '../../src/access/keys.js'
import { parseInput } from '../../src/base/parse-input.js'
import { makeAccess, refusal, silent } from '../support/access.js'

const admin = { name: 'ada@example.com', role: 'Admin' } as const
const superAdmin = { name: 'root@example.com', role: 'SuperAdmin' } as const
const fields = (body: object) => parseInput(newKey, { name: 'Dashboard', ...body }, 'field')

const START = Date.parse('2026-03-01T12:00:00.000Z')

beforeEach(() => {
  vi.useFakeTimers({ now: START })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('people', () => {
  it('are let in by an invitation once, within seven days, and never by a token', async () => {
    const { keys, store, gate } = await makeAccess()
    const person = await keys.admit('p1', fields({ name: 'Lea', require_mapping: true }), { subject: 'lea@x' }, admin)
    expect(person).toMatchObject({ kind: 'person', subject: 'lea@x', active: true })
    const { code } = await keys.invite('p1', person.key_id, admin)
    expect(JSON.stringify([...store.keyRecords.values()])).not.toContain(code)
    expect((await gate.enterByInvitation(code, '192.0.2.1')).keyId).toBe(person.key_id)
    for (const token of [code, person.key_id, 'undefined', '']) expect(keys.resolve(token)).toBeUndefined()
    vi.setSystemTime(START + 7 * 86_400_000)
    const refused = 'unauthenticated: Invalid or inactive API key'
    expect(await refusal(() => gate.enterByInvitation(code, '192.0.2.1'))).toBe(refused)
    expect(await keys.redeem(code)).toBe(false)
    const { code: second } = await keys.invite('p1', person.key_id, admin)
    expect(await Promise.all([keys.redeem(second), keys.redeem(second)])).toEqual([true, false])
    expect(await refusal(() => gate.enterByInvitation(second, '192.0.2.1'))).toBe(refused)
    expect(keys.accepted(person.key_id)).toBeDefined()
  })

  it('are one in a project, and one of a revoked person is not invited', async () => {
    const { keys } = await makeAccess()
    const lea = await keys.admit('p1', fields({}), { subject: 'lea@x' }, admin)
    const again = keys.admit('p1', fields({}), { subject: 'lea@x' }, admin)
    expect(await refusal(() => again)).toBe(`conflict: The project has this person already: ${lea.key_id}`)
    await expect(
      keys.admit('p1', fields({}), { subject: 'lea@x', issuer: 'https://idp' }, admin),
    ).resolves.toBeDefined()
    const { code } = await keys.invite('p1', lea.key_id, admin)
    await keys.revoke('p1', lea.key_id)
    expect([keys.invited(code), await keys.redeem(code), keys.accepted(lea.key_id)]).toEqual([
      undefined,
      false,
      undefined,
    ])
    expect(await refusal(() => keys.invite('p1', lea.key_id, admin))).toMatch('Key is revoked')
    await expect(keys.admit('p1', fields({}), { subject: 'lea@x' }, admin)).resolves.toBeDefined()
  })

  it('are given no more than whoever invites them may give, and count among the keys of a project', async () => {
    const { keys } = await makeAccess({ maxKeysPerProject: 1 })
    const lea = { subject: 'lea@x' }
    expect(await refusal(() => keys.admit('p1', fields({ roles: ['SuperAdmin'] }), lea, admin))).toMatch('forbidden')
    await keys.admit('p1', fields({}), lea, admin)
    expect(await refusal(() => keys.mint('p1', fields({}), admin))).toMatch('conflict')
  })

  it('are still invited after a restart', async () => {
    const { keys, store, projects, teams } = await makeAccess()
    const { key_id: id } = await keys.admit('p1', fields({}), { subject: 'lea@x' }, admin)
    const { code } = await keys.invite('p1', id, admin)
    const restarted = await Keys.load({ store: store.keys, projects, teams, log: silent })
    expect(restarted.invited(code)?.key_id).toBe(id)
  })
})

describe('minting a key', () => {
  it('gives an admin key by default, with the token in this answer only', async () => {
    const { keys, store } = await makeAccess()
    const minted = await keys.mint('p1', fields({}), admin)
    expect(minted).toEqual({
      key_id: minted.key_id,
      id: minted.key_id,
      name: 'Dashboard',
      key: expect.stringMatching(/^esk_[\w-]{43}$/),
      key_preview: `${minted.key.slice(0, 8)}…${minted.key.slice(-4)}`,
      project_id: 'p1',
      active: true,
      is_supervisor: true,
      roles: ['Admin'],
      allowed_agents: [],
      require_mapping: false,
      created_at: '2026-03-01T12:00:00.000Z',
      created_by: 'ada@example.com',
    })
    const kept = JSON.stringify([...store.keyRecords.values(), keys.list('p1', { includeRevoked: true })])
    expect(kept).not.toContain(minted.key)
    expect(kept).toContain(tokenHash(minted.key))
  })

  it('is refused to a project that has as many as it may, and rotation with it; a revoked key makes room', async () => {
    const { keys } = await makeAccess({ maxKeysPerProject: 2 })
    const first = await keys.mint('p1', fields({}), admin)
    await keys.mint('p1', fields({}), admin)
    const full = 'conflict: The project has 2 active keys and may have 2; revoke some that are not used'
    expect(await refusal(() => keys.mint('p1', fields({}), admin))).toBe(full)
    expect(await refusal(() => keys.rotate('p1', first.key_id, 60, admin))).toBe(full)
    await keys.mint('p2', fields({}), admin)
    // In place of the old one at once: there is never one more.
    const next = await keys.rotate('p1', first.key_id, 0, admin)
    await keys.revoke('p1', next.key_id)
    await expect(keys.mint('p1', fields({}), admin)).resolves.toBeDefined()
  })

  it('fills in each field by itself', async () => {
    const { keys } = await makeAccess()
    const minted = await keys.mint('p1', fields({ allowed_agents: ['Ann'], require_mapping: true }), admin)
    expect(minted).toMatchObject({ is_supervisor: true, roles: ['Admin'], allowed_agents: ['Ann'] })
  })

  it('keeps names trimmed and composed, agents once each', () => {
    expect(fields({ name: '  Zoe\u0308 ', allowed_agents: ['Zoe\u0308', ' Zoë', 'Bob'] })).toMatchObject({
      name: 'Zoë',
      allowed_agents: ['Zoë', 'Bob'],
    })
  })

  it.each([
    [{ name: '' }, 'Field "name" must not be empty'],
    [{ name: '   ' }, 'Field "name" must not be empty'],
    [{ name: 'x'.repeat(121) }, 'Field "name" must have at most 120 characters, not 121'],
    [{ name: 'a\u0000b' }, 'Field "name" must hold no control characters or lone surrogates'],
    [{ name: 'a\ud800' }, 'Field "name" must hold no control characters or lone surrogates'],
    [{ roles: ['Boss'] }, 'Field "roles.0" must be one of "Admin", "SuperAdmin", "Supervisor", "Auditor", not "Boss"'],
    [{ allowed_agents: 'Ann' }, 'Field "allowed_agents" must be a list, not "Ann"'],
    [{ allowed_agents: [''] }, 'Field "allowed_agents.0" must not be empty'],
    [{ require_mapping: 'true' }, 'Field "require_mapping" must be true or false, not "true"'],
    [{ is_superviser: true }, 'Unknown field "is_superviser", did you mean "is_supervisor"?'],
    [{ project_id: 'p2' }, 'Unknown field "project_id"'],
  ])('refuses %j', (body, sentence) => {
    expect(() => fields(body)).toThrow(sentence)
  })

  it('lets only a SuperAdmin give the role SuperAdmin', async () => {
    const { keys } = await makeAccess()
    const text = 'forbidden: Only a SuperAdmin may give the role SuperAdmin, or change a key that has it'
    expect(await refusal(() => keys.mint('p1', fields({ roles: ['SuperAdmin'] }), admin))).toBe(text)
    const { key_id: keyId } = await keys.mint('p1', fields({ roles: ['SuperAdmin'] }), superAdmin)
    const { key_id: person } = await keys.admit(
      'p1',
      fields({ roles: ['SuperAdmin'] }),
      { subject: 'lea@x' },
      superAdmin,
    )
    expect(await refusal(() => keys.invite('p1', person, admin)), 'whoever has the invitation is that person').toBe(
      text,
    )
    expect((await keys.invite('p1', person, superAdmin)).code).toBeDefined()
    expect(await refusal(() => keys.rotate('p1', keyId, 0, admin))).toBe(text)
    const plain = await keys.mint('p1', fields({}), admin)
    expect(await refusal(() => keys.patch('p1', plain.key_id, { roles: ['SuperAdmin'] }, admin))).toBe(text)
  })

  it('refuses an unknown project', async () => {
    const { keys } = await makeAccess()
    expect(await refusal(() => keys.mint('nowhere', fields({}), admin))).toBe('not_found: Project not found: "nowhere"')
  })

  it('accepts no key whose record could not be written', async () => {
    const { keys, store } = await makeAccess()
    store.failing = true
    await expect(keys.mint('p1', fields({}), admin)).rejects.toThrow('disk full')
    expect(keys.size).toBe(0)
  })
})

describe('a key in use', () => {
  it('is found by its token, others are not', async () => {
    const { keys } = await makeAccess()
    const { key, key_id: keyId } = await keys.mint('p1', fields({}), admin)
    expect(keys.resolve(key)?.key_id).toBe(keyId)
    expect(keys.resolve(`${key.slice(0, -1)}_`)).toBeUndefined()
    expect(keys.resolve('__proto__')).toBeUndefined()
  })

  it('is listed as unused when it was neither used nor minted for so long', async () => {
    const { keys } = await makeAccess()
    const [idle, busy] = [await keys.mint('p1', fields({}), admin), await keys.mint('p1', fields({}), admin)]
    const days = (count: number) => count * 24 * 60 * 60 * 1_000
    vi.setSystemTime(START + days(91))
    keys.used(busy.key_id)
    await keys.mint('p1', fields({}), admin)
    const unused = (count: number) => {
      return keys.list('p1', { includeRevoked: false, unusedMs: days(count) }).map(({ key_id: id }) => id)
    }
    expect([unused(90), unused(92)]).toEqual([[idle.key_id], []])
  })

  it('shows when it was used last at once, and writes it in batches', async () => {
    const { keys, store } = await makeAccess()
    const { key_id: keyId } = await keys.mint('p1', fields({}), admin)
    keys.used(keyId)
    expect(keys.get('p1', keyId).last_used_at).toBe('2026-03-01T12:00:00.000Z')
    expect(store.keyRecords.get(keyId)?.last_used_at).toBeUndefined()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(store.keyRecords.get(keyId)?.last_used_at).toBe('2026-03-01T12:00:00.000Z')
    await keys.patch('p1', keyId, { name: 'New' }, admin)
    expect(store.keyRecords.get(keyId)?.last_used_at).toBe('2026-03-01T12:00:00.000Z')
  })

  it('keeps what a key spent of its budget over a restart, and shows nobody', async () => {
    const { keys, store, projects, teams } = await makeAccess()
    const { key_id: id } = await keys.mint('p1', fields({ questions_per_day: 2 }), admin)
    const budgets = new DayBudgets()
    keys.keepSpent(budgets)
    budgets.take(id, { questions: 2 })
    await keys.flush()
    expect(keys.get('p1', id)).not.toHaveProperty('spent')
    const restarted = await Keys.load({ store: store.keys, projects, teams, log: silent })
    const since = new DayBudgets()
    restarted.keepSpent(since)
    expect(since.left(id, { questions: 2 })).toMatchObject({ questions: 1 })
    await restarted.close()
  })

  it('loses nothing of what keys spent to a write that failed', async () => {
    const { keys, store, projects, teams } = await makeAccess()
    const bound = fields({ questions_per_day: 2 })
    const ids = [(await keys.mint('p1', bound, admin)).key_id, (await keys.mint('p1', bound, admin)).key_id]
    const budgets = new DayBudgets()
    keys.keepSpent(budgets)
    for (const id of ids) budgets.take(id, { questions: 2 })
    store.failing = true
    await keys.flush()
    store.failing = false
    await keys.flush()
    const restarted = await Keys.load({ store: store.keys, projects, teams, log: silent })
    const since = new DayBudgets()
    restarted.keepSpent(since)
    for (const id of ids) expect(since.left(id, { questions: 2 })).toMatchObject({ questions: 1 })
    await restarted.close()
  })

  it('gives no new budget with a rotation: both keys spend one while both are accepted, and after a restart', async () => {
    const { keys, store, projects, teams } = await makeAccess()
    const { key_id: id } = await keys.mint('p1', fields({ questions_per_day: 5 }), admin)
    const budgets = new DayBudgets()
    keys.keepSpent(budgets)
    const budget = { questions: 5, bytes: 100, work_ms: 1_000 }
    const begun = budgets.take(id, budget)
    const { key_id: next } = await keys.rotate('p1', id, 600, admin)
    begun.answered(40)
    budgets.take(next, budget).worked(250)
    const told = { questions: 3, bytes: 60, work_ms: 750 }
    for (const one of [id, next]) expect(budgets.left(one, budget)).toMatchObject(told)
    await keys.flush()
    const restarted = await Keys.load({ store: store.keys, projects, teams, log: silent })
    const since = new DayBudgets()
    restarted.keepSpent(since)
    for (const one of [id, next, id]) since.take(one, budget)
    for (const one of [id, next]) {
      expect(() => since.take(one, budget)).toThrow('5 questions')
      expect(since.left(one, budget)).toMatchObject({ ...told, questions: 0 })
    }
    await restarted.close()
  })

  it('keeps the budget of a day through rotations of what was rotated, and shows nobody whose it is', async () => {
    const { keys } = await makeAccess()
    const budgets = new DayBudgets()
    keys.keepSpent(budgets)
    const { key_id: first } = await keys.mint('p1', fields({ questions_per_day: 4 }), admin)
    budgets.take(first, { questions: 4 })
    const { key_id: second } = await keys.rotate('p1', first, 0, admin)
    budgets.take(second, { questions: 4 })
    const third = await keys.rotate('p1', second, 600, admin)
    budgets.take(third.key_id, { questions: 4 })
    expect(third).not.toHaveProperty('spends_as')
    expect(budgets.left(second, { questions: 4 })).toMatchObject({ questions: 1 })
    const { key_id: other } = await keys.mint('p1', fields({ questions_per_day: 4 }), admin)
    expect(budgets.left(other, { questions: 4 })).toMatchObject({ questions: 4 })
  })

  it('loses no time of last use to a write that failed', async () => {
    const { keys, store } = await makeAccess()
    const { key_id: keyId } = await keys.mint('p1', fields({}), admin)
    keys.used(keyId)
    store.failing = true
    await keys.flush()
    store.failing = false
    await keys.close()
    expect(store.keyRecords.get(keyId)?.last_used_at).toBe('2026-03-01T12:00:00.000Z')
  })

  it('is unknown to other projects', async () => {
    const { keys } = await makeAccess()
    const { key_id: keyId } = await keys.mint('p1', fields({}), admin)
    const text = `not_found: Key not found: "${keyId}"`
    expect(await refusal(() => keys.get('p2', keyId))).toBe(text)
    expect(await refusal(() => keys.patch('p2', keyId, {}, admin))).toBe(text)
    expect(await refusal(() => keys.revoke('p2', keyId))).toBe(text)
    expect(await refusal(() => keys.rotate('p2', keyId, 0, admin))).toBe(text)
    expect(keys.list('p2', { includeRevoked: true })).toEqual([])
  })
})

describe('changing and revoking', () => {
  it('holds from the next look-up on and tells listeners', async () => {
    const { keys } = await makeAccess()
    const events: KeyEvent[] = []
    keys.onChange(event => events.push(event))
    const { key, key_id: keyId } = await keys.mint('p1', fields({}), admin)
    await keys.patch('p1', keyId, { allowed_agents: ['Ann'], require_mapping: true }, admin)
    expect(keys.resolve(key)).toMatchObject({ allowed_agents: ['Ann'], require_mapping: true, roles: ['Admin'] })
    const revoked = await keys.revoke('p1', keyId)
    expect(keys.resolve(key)).toBeUndefined()
    expect(keys.size).toBe(0)
    expect(await keys.revoke('p1', keyId)).toEqual(revoked)
    expect(events).toEqual([
      { keyId, kind: 'changed' },
      { keyId, kind: 'revoked' },
    ])
  })

  it('revokes by a patch too, and a revoked key stays so', async () => {
    const { keys, store, teams } = await makeAccess()
    const { key, key_id: keyId } = await keys.mint('p1', fields({}), admin)
    expect(await keys.patch('p1', keyId, { active: false }, admin)).toMatchObject({ active: false })
    const text = 'invalid_input: Key is revoked and stays so; mint a new one'
    expect(await refusal(() => keys.patch('p1', keyId, { name: 'Again' }, admin))).toBe(text)
    expect(await refusal(() => keys.rotate('p1', keyId, 0, admin))).toBe(text)
    expect(keys.list('p1', { includeRevoked: false })).toEqual([])
    expect(keys.list('p1', { includeRevoked: true })).toHaveLength(1)
    const reloaded = await Keys.load({ store: store.keys, projects: { get: () => never() }, teams, log: silent })
    expect(reloaded.resolve(key)).toBeUndefined()
    expect(reloaded.size).toBe(0)
  })

  it('stays revoked when a patch runs at the same time', async () => {
    const { keys, store } = await makeAccess()
    const { key, key_id: keyId } = await keys.mint('p1', fields({}), admin)
    await Promise.allSettled([
      keys.patch('p1', keyId, { name: 'A' }, admin),
      keys.revoke('p1', keyId),
      keys.patch('p1', keyId, { name: 'B' }, admin),
    ])
    expect(keys.resolve(key)).toBeUndefined()
    expect(store.keyRecords.get(keyId)).toMatchObject({ active: false, name: 'A' })
  })

  it('keeps no other key waiting while webhooks of its project are told', async () => {
    const { store, projects, teams } = await makeAccess()
    const gates: (() => void)[] = []
    const raise = () => new Promise<void>(resolve => void gates.push(resolve))
    const keys = await Keys.load({ store: store.keys, projects, teams, log: silent, events: { raise } })
    const minting = keys.mint('p1', fields({}), admin)
    await vi.waitFor(() => expect(gates).toHaveLength(1))
    await keys.followed.reload()
    const [{ key_id: keyId } = never()] = keys.list('p1', { includeRevoked: false })
    const revoking = keys.revoke('p1', keyId)
    await vi.waitFor(() => expect(gates).toHaveLength(2))
    await keys.followed.reload()
    for (const go of gates) go()
    await Promise.all([minting, revoking])
  })

  it('goes on accepting a key whose revocation could not be written, and says so', async () => {
    const { keys, store } = await makeAccess()
    const { key, key_id: keyId } = await keys.mint('p1', fields({}), admin)
    store.failing = true
    await expect(keys.revoke('p1', keyId)).rejects.toThrow('disk full')
    store.failing = false
    expect(keys.get('p1', keyId).active).toBe(true)
    await keys.revoke('p1', keyId)
    expect(keys.resolve(key)).toBeUndefined()
  })

  it('goes on telling the other listeners when one fails', async () => {
    const { keys } = await makeAccess()
    const heard = vi.fn<(event: KeyEvent) => void>()
    keys.onChange(() => never())
    const stop = keys.onChange(heard)
    const { key_id: keyId } = await keys.mint('p1', fields({}), admin)
    await keys.patch('p1', keyId, { name: 'B' }, admin)
    stop()
    await keys.revoke('p1', keyId)
    expect(heard).toHaveBeenCalledTimes(1)
  })
})

describe('rotating', () => {
  it('gives a new key with the same rights and ends the old one at once without a grace', async () => {
    const { keys } = await makeAccess()
    const old = await keys.mint('p1', fields({ roles: [], allowed_agents: ['Ann'], require_mapping: true }), admin)
    const next = await keys.rotate('p1', old.key_id, 0, { ...admin, name: 'bob@example.com' })
    expect(next).toMatchObject({ name: 'Dashboard', roles: [], allowed_agents: ['Ann'], created_by: 'bob@example.com' })
    expect(next.key_id).not.toBe(old.key_id)
    expect(keys.resolve(next.key)?.key_id).toBe(next.key_id)
    expect(keys.resolve(old.key)).toBeUndefined()
  })

  it('ends the old key when its grace ends, and tells', async () => {
    const { keys, store } = await makeAccess()
    const old = await keys.mint('p1', fields({}), admin)
    await keys.rotate('p1', old.key_id, 60, admin)
    const events: KeyEvent[] = []
    keys.onChange(event => events.push(event))
    expect(keys.get('p1', old.key_id)).toMatchObject({ active: true, expires_at: '2026-03-01T12:01:00.000Z' })
    await vi.advanceTimersByTimeAsync(59_999)
    expect(keys.resolve(old.key)).toBeDefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(keys.resolve(old.key)).toBeUndefined()
    expect(events).toEqual([{ keyId: old.key_id, kind: 'revoked' }])
    expect(store.keyRecords.get(old.key_id)?.active).toBe(false)
  })

  it('refuses an old key after its grace even when the end could not be written', async () => {
    const { keys, store } = await makeAccess()
    const old = await keys.mint('p1', fields({}), admin)
    await keys.rotate('p1', old.key_id, 60, admin)
    const events: KeyEvent[] = []
    keys.onChange(event => events.push(event))
    store.failing = true
    await vi.advanceTimersByTimeAsync(60_000)
    expect(keys.resolve(old.key)).toBeUndefined()
    expect(events).toEqual([{ keyId: old.key_id, kind: 'revoked' }])
  })

  it('ends at the next start what ended while nothing ran', async () => {
    const { keys, store, projects, teams } = await makeAccess()
    const old = await keys.mint('p1', fields({}), admin)
    const running = await keys.rotate('p1', old.key_id, 3_600, admin)
    await keys.close()
    vi.setSystemTime(START + 3_600_000)
    const restarted = await Keys.load({ store: store.keys, projects, teams, log: silent })
    expect(restarted.resolve(old.key)).toBeUndefined()
    expect(restarted.resolve(running.key)).toBeDefined()
    expect(store.keyRecords.get(old.key_id)?.active).toBe(false)
  })

  it('refuses to rotate a key in its grace time again', async () => {
    const { keys } = await makeAccess()
    const old = await keys.mint('p1', fields({}), admin)
    await keys.rotate('p1', old.key_id, 60, admin)
    expect(await refusal(() => keys.rotate('p1', old.key_id, 60, admin))).toMatch(/^conflict: /)
  })
})

function never(): never {
  throw new Error('is not called in earnest')
}

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(START + days * DAY_MS).toISOString()

describe('narrowing what was rotated', () => {
  const narrow = { allowed_agents: ['Ana Silva'], require_mapping: true, min_group: 20 }

  it('narrows the tokens before too, and tells; their ends and names stay', async () => {
    const { keys } = await makeAccess()
    const first = await keys.mint('p1', fields({ expires_at: '2026-04-01T00:00:00.000Z' }), admin)
    const second = await keys.rotate('p1', first.key_id, 3_600, admin)
    const third = await keys.rotate('p1', second.key_id, 60, admin)
    const told: KeyEvent[] = []
    keys.onChange(event => told.push(event))
    await keys.patch('p1', third.key_id, { name: 'Narrowed', expires_at: '2026-03-20T00:00:00.000Z', ...narrow }, admin)
    for (const { key } of [first, second, third]) expect(keys.resolve(key)).toMatchObject(narrow)
    expect(keys.resolve(first.key)).toMatchObject({ name: 'Dashboard', expires_at: '2026-03-01T13:00:00.000Z' })
    expect(told.map(({ keyId }) => keyId)).toEqual([first.key_id, second.key_id, third.key_id])
    vi.setSystemTime(START + 3_600_000)
    expect(keys.resolve(first.key)).toBeUndefined()
  })

  it('narrows the new token where the old one is meant, as by who did not know of the rotation, and no other key', async () => {
    const { keys } = await makeAccess()
    const [old, other] = [await keys.mint('p1', fields({}), admin), await keys.mint('p1', fields({}), admin)]
    const next = await keys.rotate('p1', old.key_id, 60, admin)
    await keys.patch('p1', old.key_id, narrow, admin)
    for (const { key } of [old, next]) expect(keys.resolve(key)).toMatchObject(narrow)
    expect(keys.resolve(other.key)).not.toHaveProperty('min_group')
  })

  it('reaches over a rotation without a grace time, and revokes one alone', async () => {
    const { keys } = await makeAccess()
    const first = await keys.mint('p1', fields({}), admin)
    const second = await keys.rotate('p1', first.key_id, 3_600, admin)
    const third = await keys.rotate('p1', second.key_id, 0, admin)
    await keys.patch('p1', third.key_id, { ...narrow, active: false }, admin)
    expect(keys.resolve(first.key)).toMatchObject(narrow)
    expect([second, third].map(({ key }) => keys.resolve(key))).toEqual([undefined, undefined])
  })
})

describe('a key with an end', () => {
  // What is written each five seconds would run half a million times in a month.
  beforeEach(() => void vi.useFakeTimers({ now: START, toFake: ['Date', 'setTimeout', 'clearTimeout'] }))

  it('is accepted until then and revoked after, also when that is further away than a timer reaches', async () => {
    const { keys } = await makeAccess()
    // A timer reaches 24.8 days.
    const minted = await keys.mint('p1', fields({ expires_at: '2026-03-28T13:00:00+01:00' }), admin)
    expect(minted).toMatchObject({ expires_at: inDays(27), active: true })
    await vi.advanceTimersByTimeAsync(27 * DAY_MS - 1)
    expect(keys.resolve(minted.key)?.key_id).toBe(minted.key_id)
    await vi.advanceTimersByTimeAsync(1)
    expect(keys.resolve(minted.key)).toBeUndefined()
    expect(keys.get('p1', minted.key_id)).toMatchObject({ active: false })
  })

  it('can have another one, and hands its end on when it is rotated', async () => {
    const { keys } = await makeAccess()
    const minted = await keys.mint('p1', fields({ expires_at: inDays(10) }), admin)
    await keys.patch('p1', minted.key_id, { expires_at: inDays(2) }, admin)
    const next = await keys.rotate('p1', minted.key_id, 3_600, admin)
    expect(next).toMatchObject({ expires_at: inDays(2) })
    expect(keys.get('p1', minted.key_id)).toMatchObject({ expires_at: inDays(1 / 24), replaced_by: next.key_id })
    const longer = keys.patch('p1', minted.key_id, { expires_at: inDays(9) }, admin)
    await expect(longer).rejects.toThrow('Key was rotated and ends with its grace time')
    await vi.advanceTimersByTimeAsync(2 * DAY_MS)
    expect(keys.resolve(next.key)).toBeUndefined()
    expect(keys.list('p1', { includeRevoked: false })).toEqual([])
  })

  it('is refused with one that has passed', async () => {
    const { keys } = await makeAccess()
    const late = keys.mint('p1', fields({ expires_at: '2026-03-01T12:00:00Z' }), admin)
    await expect(late).rejects.toThrow('expires_at lies in the past')
    expect(() => fields({ expires_at: 'tomorrow' })).toThrow('expires_at')
  })

  it('has the longest that is allowed where it names none, and none behind that, counted from its minting', async () => {
    const { keys } = await makeAccess({ maxLifetimeMs: 30 * DAY_MS })
    const minted = await keys.mint('p1', fields({}), admin)
    expect(minted).toMatchObject({ expires_at: inDays(30) })
    const longer = `expires_at may be ${inDays(30)} at the latest (EARSHOT_KEY_MAX_LIFETIME)`
    await expect(keys.mint('p1', fields({ expires_at: inDays(31) }), admin)).rejects.toThrow(longer)
    await vi.advanceTimersByTimeAsync(10 * DAY_MS)
    await expect(keys.patch('p1', minted.key_id, { expires_at: inDays(31) }, admin)).rejects.toThrow(longer)
    expect(await keys.patch('p1', minted.key_id, { expires_at: inDays(29) }, admin)).toMatchObject({
      expires_at: inDays(29),
    })
    await expect(keys.patch('p1', minted.key_id, { expires_at: null }, admin)).rejects.toThrow(
      `expires_at can’t be taken away: it may be ${inDays(30)} at the latest (EARSHOT_KEY_MAX_LIFETIME)`,
    )
    const lea = { subject: 'lea@x', issuer: 'https://idp' }
    const person = await keys.admit('p1', fields({ expires_at: inDays(20) }), lea, admin)
    expect(
      await keys.patch('p1', person.key_id, { expires_at: null }, admin),
      'whom a provider signs in',
    ).not.toHaveProperty('expires_at')
  })

  it('goes on past it where that was taken away, also after a restart; the old one of a rotation never', async () => {
    const { keys, store, teams } = await makeAccess()
    const minted = await keys.mint('p1', fields({ expires_at: inDays(2) }), admin)
    await keys.patch('p1', minted.key_id, { expires_at: null }, admin)
    await vi.advanceTimersByTimeAsync(3 * DAY_MS)
    expect(keys.resolve(minted.key)).toMatchObject({ active: true })
    const reloaded = await Keys.load({ store: store.keys, projects: { get: () => never() }, teams, log: silent })
    expect(reloaded.resolve(minted.key)).toMatchObject({ active: true })
    await keys.rotate('p1', minted.key_id, 3_600, admin)
    await expect(keys.patch('p1', minted.key_id, { expires_at: null }, admin)).rejects.toThrow('ends with its grace')
  })
})

describe('a key with networks', () => {
  it.each(['10.0.0.0/33', '10.0.0', 'example.com', '', '::/129'])('refuses %j', text => {
    expect(() => fields({ allowed_networks: [text] })).toThrow('must be an address or a network')
  })

  it('keeps them as they were given, and hands them on when it is rotated', async () => {
    const { keys } = await makeAccess()
    const networks = ['192.0.2.0/24', '2001:db8::/32', '203.0.113.7']
    const minted = await keys.mint('p1', fields({ allowed_networks: networks }), admin)
    expect(minted).toMatchObject({ allowed_networks: networks })
    expect(await keys.rotate('p1', minted.key_id, 0, admin)).toMatchObject({ allowed_networks: networks })
  })
})
