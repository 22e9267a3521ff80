import * as fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { beforeCalls, behindCalls } from '../../../src/cli/move/moved-kinds.js'
import { isMoved, type MovedPartReport, moveStore } from '../../../src/cli/move/move-store.js'
import { openDuckDbStore } from '../../../src/store/duckdb/open-duckdb-store.js'
import type { NewDelivery } from '../../../src/store/event-store.js'
import type { Store } from '../../../src/store/store.js'
import { arbitraryCalls } from '../../support/arbitrary-calls.js'
import { mongoStore, type OpenedMongo } from '../../support/mongodb/mongo-store.js'
import { call } from '../../store/duckdb/support.js'

/** Everything of an installation, from the embedded store to a server and from there into a new embedded one: nothing is lost. */

const AT = '2026-03-01T00:00:00.000Z'
const made = { created_at: AT, created_by: 'ada' }
const transcript = [{ turn: 0, actor: 'agent', text: 'Hello "you" é' }]

const delivery = (n: number): NewDelivery => ({
  delivery_id: `d${n}`,
  project_id: 'p',
  webhook_id: 'wh',
  event_id: `e${n}`,
  event: 'call.evaluated',
  subject: 'call/a',
  body: `{"n":${n}}\n`,
  created_at: AT,
  expires_at: '2026-03-04T00:00:00.000Z',
})

/** Something of each kind, all that the parts of a store take. */
async function fill(store: Store): Promise<void> {
  const { projects, keys, calls, events, imports, privacy, tasks } = store
  for (const project_id of ['p', 'q']) {
    await projects.insert({
      project_id,
      name: 'North',
      timezone: 'Europe/Berlin',
      verticals: ['retail'],
      created_at: AT,
    })
  }
  const key = { project_id: 'p', active: true, is_supervisor: true, roles: [], allowed_agents: [], ...made }
  await keys.insert({ ...key, key_id: 'k1', name: 'Desk', key_hash: 'ab12', require_mapping: false, last_used_at: AT })
  await keys.insert({ ...key, key_id: 'k2', name: 'Team', key_hash: 'cd34', require_mapping: true, teams: ['t'] })
  await store.teams.put({ project_id: 'p', team_id: 't', name: 'Team', agents: ['Ana'], ...made })
  await store.oauth.put({
    kind: 'Grant',
    id_hash: 'h',
    payload: { a: 1 },
    narrowing: { agents: ['Ana'] },
    expires_at: AT,
  })
  await store.rubrics.add({ project_id: 'p', version: 1, text: "name: it's\n", set_at: AT, set_by: 'ada' })
  await store.rubrics.add({ project_id: 'p', version: 2, built_in: 'support-calls', set_at: AT, set_by: 'ada' })
  const sections = [{ title: 'Returns', text: '返品' }]
  await store.knowledge.put({ project_id: 'p', kb_id: 'kb', name: 'a.md', title: 'A', imported_at: AT, sections })
  await imports.mappings.put({ project_id: 'p', mapping_id: 'm', map: ['score=Punkte'], agent_speaker: [], ...made })
  await imports.inbound.put({
    project_id: 'p',
    webhook_id: 'in',
    name: 'In',
    kind: 'twilio',
    secret: 'sealed',
    ...made,
  })
  await imports.take('in', 'digest', Date.parse(AT), 0)

  const some = fc.sample(arbitraryCalls, { seed: 11, numRuns: 8 }).flat()
  const records = some.map((record, n) => ({
    ...record,
    session_id: `o${n}`,
    agent_id: record.agent_name.toLowerCase(),
  }))
  const lift = { lift: 0.25, lift_band: 'promising', p_behavioral: 0.5, p_context: 0.25 }
  const evaluation = { evaluator: 'rules', rubric: 'r', rubric_version: 'v', evaluated_at: AT }
  const evaluated = { score: 3.25, outcome_lift: lift, evaluation, transcript, recording_url: 'file:///r/a.wav' }
  await calls.upsert('p', [
    call('a', evaluated),
    call('b', { session_metadata: { z: 1, a: [null, { deep: 1e-7 }], t: 'é' } }),
    ...['c', 'gone'].map(id => call(id)),
    ...records.map(record => ({ ...record, json: JSON.stringify(record) })),
  ])
  await calls.upsert('q', [call('a', { agent_name: 'Ben', agent_id: 'ben' })])
  await calls.eraseAll('p', ['gone'], { by: 'ada', how: 'customer' })
  const numbers = { signals: ['sig.a'], means: [0.5], factors: [[0.1]], rest: [0.2] }
  const fitted = {
    evaluator: 'rules',
    rubric: 'r',
    rubric_version: 'v',
    outcome: 'predicted_csat',
    before: [],
  } as const
  await calls.writeLiftFit('p', { ...fitted, effects: numbers, agents: { x: [0.1, -0.1, 0.3] } })
  await store.reports.note('p', 'weekly.md', ['a', 'b'])
  await store.modelAnswers.put({ project_id: 'p', session_id: 'a', request: 'r1' }, '{"turn":0}')
  const batch = { project_id: 'p', kind: 'openai', url: 'http://127.0.0.1/v1', model: 'm', which: 'pending' } as const
  await store.modelBatches.begin(
    { ...batch, batch_id: 'one', created_at: AT, requests: 1, expected: { input: 1, output: 2 } },
    [{ session_id: 'a', request: 'r1' }],
  )

  const heard = { project_id: 'p', feedback_id: 'f', about: 'call', rating: 4, text: 'x', ...made } as const
  await events.feedback.add({ ...heard, session_id: 'a' }, [])
  await privacy.placeHold({ project_id: 'p', hold_id: 'h', name: 'Case 7', session_ids: ['b'], ...made })
  const asked = { approval_id: 'ap', action: 'POST /x', asked: '{}', digest: 'd', requested_by: 'ada' }
  const until = { requested_at: AT, requested_subject: 'ada', expires_at: '2026-03-02T00:00:00.000Z' }
  await privacy.putApproval({ project_id: 'p', ...asked, ...until })
  await privacy.confirmApproval({ project_id: 'p', ...asked, ...until, confirmed_at: AT, confirmed_by: 'bea' })

  const alert = { project_id: 'p', alert_id: 'al', name: 'Low', condition: { below: 2.5 }, agents: [], active: true }
  await events.alerts.put({ ...alert, cooldown_seconds: 60, ...made })
  const secrets = [{ sealed: 's', created_at: AT }]
  const hook = { project_id: 'p', webhook_id: 'wh', url: 'https://hooks.example.com/', events: ['key.minted'] }
  await events.webhooks.put({ ...hook, active: true, secrets, ...made })
  // From here on somebody wants to know of calls.
  await calls.upsert('p', [call('c', { score: 1 })])
  await events.deliveries.add([1, 2, 3].map(delivery))
  const [first] = await events.deliveries.pending('wh', 0, 1)
  const attempt = { attempts: 3, next_at: AT, attempted_at: AT, status: 500, duration_ms: 1.5 }
  await events.deliveries.settle([{ seq: first!.seq, state: 'dead', ...attempt }])
  const task = { task_id: 't1', project_id: 'p', name: 'Nightly', kind: 'retention', cron: '0 3 * * *', enabled: true }
  const nightly = { ...task, time_zone: 'Europe/Berlin', parameters: { calls_after_days: 90 }, ...made }
  await tasks.insert(nightly)
  for (const n of [1, 2]) {
    const run = { run_id: `run${n}`, task_id: 't1', trigger: 'schedule', state: 'ok', started_at: AT } as const
    await tasks.putRun({ ...run, result: { erased: n } }, { ...nightly, last_run: AT }, { keep: 10 })
  }
}

const opened: Store[] = []
const directories: string[] = []
async function embedded(dataDir = mkdtempSync(join(tmpdir(), 'earshot-move-'))): Promise<Store> {
  directories.push(dataDir)
  const store = await openDuckDbStore({ dataDir, memoryLimit: '256MB', threads: 1 })
  opened.push(store)
  return store
}

const silent = {
  compareOnly: false,
  onPart: () => undefined,
  onCalls: () => undefined,
  signal: new AbortController().signal,
}
const move = (source: Store, target: Store, more: object = {}) => moveStore({ source, target, ...silent, ...more })
const differing = (parts: readonly MovedPartReport[]) => parts.filter(one => !isMoved(one)).map(({ part }) => part)

let first: Store
let mongo: OpenedMongo
let back: Store
beforeAll(async () => {
  first = await embedded()
  await fill(first)
  mongo = await mongoStore()
  back = await embedded()
})
afterAll(async () => {
  for (const store of opened) await store.close()
  await mongo.end()
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

test('every kind of what a store keeps is in what moves', async () => {
  const empty: string[] = []
  for (const kind of [...beforeCalls, ...behindCalls]) {
    let rows = 0
    for await (const some of kind.rows(first)) rows += some.length
    if (rows === 0) empty.push(kind.name)
  }
  expect(empty).toEqual([])
})

test('a move that is cut off goes on, and nothing is lost', async () => {
  const stop = new AbortController()
  let parts = 0
  const onPart = () => void ((parts += 1) === 14 && stop.abort(new Error('cut off')))
  await expect(move(first, mongo.store, { onPart, signal: stop.signal })).rejects.toThrow('cut off')
  expect(differing(await move(first, mongo.store))).toEqual([])
})

test('and back into a new embedded store', async () => {
  expect(differing(await move(mongo.store, back))).toEqual([])
  expect(differing(await move(first, back, { compareOnly: true }))).toEqual([])
})

test.each(['there', 'back'])('erased stays erased, held stays held and numbers go on, %s', async where => {
  if (where === 'back') {
    await back.close()
    back = await embedded(directories[1])
  }
  const { calls, events } = where === 'there' ? await mongo.reopen() : back
  expect(
    await calls.preview(
      'p',
      ['gone', 'b'].map(id => ({ session_id: id, agent_name: 'Ana' })),
    ),
  ).toMatchObject({
    erased: ['gone'],
    held: ['b'],
  })
  const last = (await events.deliveries.pending('wh', 0, 9)).at(-1)!
  await events.deliveries.add([delivery(4)])
  expect((await events.deliveries.pending('wh', last.seq, 9)).map(({ event_id }) => event_id)).toEqual(['e4'])
})

test('what differs is named, and nothing is written where both are only compared', async () => {
  await back.teams.put({ project_id: 'p', team_id: 't', name: 'Other', agents: [], ...made })
  await back.calls.upsert('p', [call('more')])
  const compared = await move(first, back, { compareOnly: true })
  expect(differing(compared)).toEqual(expect.arrayContaining(['teams', 'calls']))
  expect((await back.teams.all())[0]).toMatchObject({ name: 'Other' })
})

test('a store that keeps something else is refused', async () => {
  const { projects } = back
  await projects.insert({ project_id: 'other', name: 'O', timezone: 'UTC', verticals: [], created_at: AT })
  await expect(move(first, back)).rejects.toThrow('keeps something else: project "other"')
})
