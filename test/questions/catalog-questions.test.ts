import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtInCatalogs } from '../../src/evaluation/rubric/rubric-catalogs.js'
import { getSignals } from '../../src/questions/get-signals.js'
import { searchGuidance } from '../../src/questions/search-guidance.js'
import { type Asking, asking, caller } from '../support/asking.js'

let service: Asking
beforeAll(async () => {
  service = await asking()
  await service.import('p', [
    {
      session_id: 'a',
      agent_name: 'Ana',
      created_dt: '2026-03-01T10:00:00Z',
      signals: [
        { key: 'sig.own', state: 'absent' },
        { key: 'sig.escalation', state: 'present' },
      ],
    },
  ])
})
afterAll(() => service.close())

const active = [...builtInCatalogs.signals.values()].filter(entry => entry.active)

describe('get_signals', () => {
  test('lists the catalog, page by page', async () => {
    const first = await service.ask(getSignals, { limit: 2 })
    expect(first.signals).toEqual(active.slice(0, 2))
    expect(first).toMatchObject({ count: 2, total: active.length })
    const second = await service.ask(getSignals, { limit: 2, cursor: first.next_cursor })
    expect(second.signals).toEqual(active.slice(2, 4))
    const rest = await service.ask(getSignals, { limit: 200 })
    expect(rest.next_cursor).toBeUndefined()
  })

  test('by category', async () => {
    const { signals } = await service.ask(getSignals, { category: 'courtesy' })
    expect(signals.length).toBeGreaterThan(2)
    expect(new Set(signals.map(entry => entry.category))).toEqual(new Set(['courtesy']))
  })

  test('is the same for a key that hears no calls', async () => {
    const nobody = caller({ allowed_agents: [], require_mapping: true, roles: [] })
    expect((await service.ask(getSignals, {}, nobody)).total).toBe(active.length)
  })

  test('lists keys that calls show and no catalog knows on request, of calls in scope only', async () => {
    const of = async (who = caller()) =>
      (await service.ask(getSignals, { active_only: false, limit: 200 }, who)).signals.filter(
        one => one.signal_key === 'sig.own',
      )
    expect(await of()).toEqual([
      { signal_key: 'sig.own', display_name: 'sig.own', applicable_verticals: [], active: false },
    ])
    expect(await of(caller({ allowed_agents: ['Ben'] }))).toEqual([])
  })

  test('a category that does not exist is refused with those that do', async () => {
    await expect(service.ask(getSignals, { category: 'courtesey' })).rejects.toThrow(/"category".*courtesy/)
  })
})

describe('search_guidance', () => {
  test('finds entries tied to a signal', async () => {
    const { items } = await service.ask(searchGuidance, { signal_key: 'sig.empathy_shown' })
    expect(items.length).toBeGreaterThan(0)
    expect(items.every(entry => entry.signal_keys.includes('sig.empathy_shown'))).toBe(true)
  })

  test('finds one entry by key, and entries by a text taken literally in any case', async () => {
    const [one] = builtInCatalogs.guidance.values()
    const byKey = await service.ask(searchGuidance, { guide_key: one!.guide_key })
    expect(byKey.items).toEqual([one])
    const byText = await service.ask(searchGuidance, { query: one!.display_name.toUpperCase() })
    expect(byText.items).toContainEqual(one)
    expect((await service.ask(searchGuidance, { query: '.*' })).total).toBe(0)
  })

  test('combines filters', async () => {
    const { items } = await service.ask(searchGuidance, { guidance_kind: 'excellence', limit: 100 })
    expect(items.length).toBeGreaterThan(0)
    expect(items.every(entry => entry.guidance_kind === 'excellence')).toBe(true)
  })
})
