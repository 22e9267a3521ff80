import { pino } from 'pino'
import { InProcessLeases } from '../../../src/store/in-process-leases.js'
import { expect, onTestFinished, test, vi } from 'vitest'
import { alertPatch, newAlert } from '../../../src/events/alerts/alert-fields.js'
import { Alerts } from '../../../src/events/alerts/alerts.js'
import { ChangeWatch, type FindChanges, type FoundChange } from '../../../src/events/alerts/change-watch.js'
import { deliveriesOf } from '../../../src/events/deliveries-of.js'
import type { NewEvent } from '../../../src/events/event-kinds.js'
import type { AlertRecord } from '../../../src/store/records/alert.js'

const change = (more: Partial<FoundChange>): FoundChange => ({
  category: 'signal',
  key: 'sig.escalation',
  direction: 'up',
  value: 0.4,
  baseline_value: 0.1,
  q_value: 0.001,
  significance: 'high',
  ...more,
})

const made = { project_id: 'p', created_at: '2026-03-01T00:00:00.000Z', created_by: 'ada' }

function gate() {
  let open = (): void => undefined
  const opened = new Promise<void>(resolve => (open = resolve))
  return { opened, open: () => open() }
}

/** A watch over alerts in memory. */
async function watching(find: FindChanges) {
  const kept = new Map<string, AlertRecord>()
  const shelf = {
    all: async () => [...kept.values()],
    put: async (alert: AlertRecord) => void kept.set(alert.alert_id, alert),
    remove: async (_: string, id: string) => void kept.delete(id),
  }
  const time = { now: Date.parse('2026-03-01T00:00:00Z') }
  const clock = () => time.now
  const alerts = await Alerts.load(shelf, clock)
  const raised: NewEvent[] = []
  const events = { raise: async (event: NewEvent) => void raised.push(event) }
  const leases = new InProcessLeases()
  /** A watch over the same alerts, as another process has one. */
  const another = () => {
    const made = new ChangeWatch({ alerts, leases, find, events, log: pino({ level: 'silent' }), clock })
    onTestFinished(() => made.close())
    return made
  }
  const watch = another()
  const add = (condition: object, more: object = {}, project = 'p') =>
    alerts.add(
      project,
      newAlert.parse({ name: 'n', condition: { kind: 'change_found', ...condition }, ...more }),
      'ada',
    )
  return { alerts, watch, another, leases, raised, time, add }
}

test('what is told again by one that was cut off before it was noted has the same id; the next occasion has another', async () => {
  const { watch, alerts, raised, time, add } = await watching(async () => [change({})])
  await add({ key: 'sig.escalation' }, { cooldown_seconds: 60 })
  const cut = vi.spyOn(alerts, 'triggered').mockRejectedValueOnce(new Error('cut off'))
  await watch.look()
  expect(cut).toHaveBeenCalledOnce()
  await watch.look()
  time.now += 60_000
  await watch.look()
  const hook = { ...made, url: 'https://hooks.example.com/', events: ['alert.triggered'], active: true, secrets: [] }
  const ids = raised.map(event => deliveriesOf(event, [{ ...hook, webhook_id: 'wh' }], time.now)[0]?.event_id)
  expect(ids).toHaveLength(3)
  expect(ids[1]).toBe(ids[0])
  expect(ids[2]).not.toBe(ids[0])
  expect(ids[0]).toMatch(/^evt_[0-9a-f]{24}$/)
})

test('an alert is told of the changes it waits for, and then nothing until its cooldown is over', async () => {
  const found = [
    change({}),
    change({ key: 'sig.other' }),
    change({ direction: 'down' }),
    change({ significance: 'medium' }),
  ]
  const { watch, raised, time, add } = await watching(async () => found)
  const { alert_id } = await add({ key: 'sig.escalation', direction: 'up' }, { cooldown_seconds: 60 })
  await watch.look()
  await watch.look()
  expect(raised).toMatchObject([{ event: 'alert.triggered', data: { alert_id, changes: [change({})] } }])
  time.now += 60_000
  await watch.look()
  expect(raised).toHaveLength(2)
})

test('it looks as the alert says: period, category, agent by agent', async () => {
  const looks: unknown[] = []
  const { watch, raised, add } = await watching(async (project, look) => {
    looks.push([project, look])
    return []
  })
  await add({ period: 'last 14 days', category: 'scores' }, { agents: ['Ana', 'Bo'] })
  await add({})
  await watch.look()
  const scores = { period: 'last 14 days', categories: ['scores'] }
  expect(looks).toEqual([
    ['p', { ...scores, agent_name: 'Ana' }],
    ['p', { ...scores, agent_name: 'Bo' }],
    ['p', { period: 'last 7 days' }],
  ])
  expect(raised).toEqual([])
})

test('an alert that is changed while another is looked for is looked for as it is then', async () => {
  const looks: unknown[] = []
  const { alerts, watch, raised, add } = await watching(async (_, look) => {
    looks.push(look)
    if (looks.length > 1) return [change({})]
    const condition = { kind: 'change_found', period: 'last 14 days' }
    await alerts.patch('p', second.alert_id, alertPatch.parse({ condition, agents: ['Ana'] }))
    return []
  })
  await add({})
  const second = await add({})
  await watch.look()
  expect(looks).toEqual([{ period: 'last 7 days' }, { period: 'last 14 days', agent_name: 'Ana' }])
  expect(raised).toMatchObject([{ data: { alert_id: second.alert_id, condition: { period: 'last 14 days' } } }])
})

test('what is less significant than asked for does not count, what is more does', async () => {
  const { watch, raised, add } = await watching(async () => [
    change({ key: 'a', significance: 'low' }),
    change({ key: 'b', significance: 'medium' }),
    change({ key: 'c' }),
  ])
  await add({ significance: 'medium' })
  await watch.look()
  expect(raised).toMatchObject([{ data: { changes: [{ key: 'b' }, { key: 'c' }] } }])
})

test('one alert that can’t look, or is paused, keeps no other back', async () => {
  const { alerts, watch, raised, add } = await watching(async (_, { categories }) => {
    if (categories?.[0] === 'scores') throw new Error('the scores are gone')
    return [change({})]
  })
  await add({ category: 'scores' })
  const paused = await add({})
  await alerts.patch('p', paused.alert_id, alertPatch.parse({ active: false }))
  const { alert_id } = await add({})
  await watch.look()
  expect(raised).toMatchObject([{ data: { alert_id } }])
})

test('of several that watch one looks for an alert at a time, and none after another has triggered it', async () => {
  let looks = 0
  const { watch, another, raised, add } = await watching(async () => {
    looks += 1
    return [change({})]
  })
  await add({})
  const other = another()
  await Promise.all([watch.look(), other.look()])
  await other.look()
  expect([looks, raised.length]).toEqual([1, 1])
})

test('a project that looks for much keeps no other project’s alerts waiting, nor who waits for the looks of another', async () => {
  const [held, begun] = [gate(), gate()]
  const looks: string[] = []
  const { watch, raised, add } = await watching(async (project, { agent_name: agent = 'all' }) => {
    looks.push(`${project} ${agent}`)
    if (project !== 'p') return [change({})]
    begun.open()
    await held.opened
    return []
  })
  await add({}, { agents: ['Ana', 'Bo', 'Cem'] })
  await add({})
  await add({}, {}, 'q')
  await add({}, {}, 'r')
  const all = watch.look()
  await begun.opened
  await Promise.all([watch.lookIn('q'), watch.lookIn('r'), watch.lookIn('none')])
  expect(raised.map(({ project_id }) => project_id).toSorted()).toEqual(['q', 'r'])
  expect(looks.toSorted()).toEqual(['p Ana', 'q all', 'r all'])
  held.open()
  await all
  expect(looks.filter(one => one.startsWith('p'))).toEqual(['p Ana', 'p Bo', 'p Cem', 'p all'])
})

test('one that is closed ends with the look that runs', async () => {
  const [held, begun] = [gate(), gate()]
  let looks = 0
  const { watch, add } = await watching(async () => {
    looks += 1
    begun.open()
    await held.opened
    return []
  })
  await add({}, { agents: ['Ana', 'Bo'] })
  await add({})
  const looking = watch.look()
  await begun.opened
  const closed = watch.close()
  held.open()
  await Promise.all([closed, looking])
  expect(looks).toBe(1)
})

test('alerts of a project look so often that they end within the hour; more is refused', async () => {
  const { alerts, add } = await watching(async () => [])
  const agents = (count: number) => ({ agents: Array.from({ length: count }, (_, n) => `agent ${n}`) })
  await add({}, agents(499))
  const last = await add({})
  const refused = /^Alerts of a project look for changes at most 500 times an hour, .* with this they would 501 times: /
  await expect(add({})).rejects.toThrow(refused)
  await expect(alerts.patch('p', last.alert_id, alertPatch.parse(agents(2)))).rejects.toThrow(refused)
  // What looks no more often is free to change; calls are held against alerts of any number of agents, and others look for themselves.
  await alerts.patch('p', last.alert_id, alertPatch.parse({ name: 'another', ...agents(1) }))
  await alerts.patch('p', last.alert_id, alertPatch.parse({ condition: { kind: 'score_below', threshold: 2 } }))
  await alerts.patch('p', last.alert_id, alertPatch.parse(agents(1_000)))
  await add({}, agents(500), 'q')
})
