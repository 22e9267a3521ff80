import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { taskOperations } from '../../src/operations/tasks.js'
import { taskRunView, taskView } from '../../src/store/records/task.js'
import { checkedTaskView, detailedTaskView } from '../../src/tasks/task-view.js'
import { aScheduler, nightly } from '../tasks/support.js'
import { adminToken, overseeing, startApi, superToken } from '../support/api.js'

let api: Awaited<ReturnType<typeof startApi>>
let given: Awaited<ReturnType<typeof aScheduler>>
let admin: string
let key: string

beforeAll(async () => {
  given = await aScheduler(async () => undefined)
  api = await startApi({
    operations: taskOperations,
    services: () => ({ tasks: given.tasks, scheduler: given.scheduler }),
  })
  admin = await adminToken()
  key = (await api.keys.mint('p1', overseeing, { name: 'ada', role: 'Admin' })).key
})
afterAll(() => api.server.close())

const TASKS = '/api/v1/tasks'
const body = { kind: 'retention', schedule: '0 3 * * *', parameters: { calls_after_days: 30 } }
const create = async (more: object = {}) => await api.call('POST', TASKS, { as: admin, body: { ...body, ...more } })

describe('tasks over REST', () => {
  test('are made, listed, changed, run and deleted, as their schemas say', async () => {
    const made = await create({ name: 'Nightly' })
    expect(made.status).toBe(201)
    expect(detailedTaskView.parse(made.json)).toMatchObject({
      name: 'Nightly',
      kind: 'retention',
      schedule: { cron: '0 3 * * *', time_zone: 'UTC' },
      parameters: { calls_after_days: 30 },
      enabled: true,
      created_by: 'ada@example.com',
      next_run: made.json.next_runs[0],
    })
    const url = `${TASKS}/${made.json.task_id}`
    const list = await api.call('GET', TASKS, { as: admin })
    expect(list.json.count).toBe(1)
    expect(taskView.parse(list.json.tasks[0]).task_id).toBe(made.json.task_id)
    const changed = await api.call('PATCH', url, {
      as: admin,
      body: { enabled: false, schedule: { cron: '@hourly', time_zone: 'Europe/Berlin' } },
    })
    expect(detailedTaskView.parse(changed.json)).toMatchObject({ enabled: false, schedule: { cron: '@hourly' } })
    expect(changed.json).not.toHaveProperty('next_run')
    const run = await api.call('POST', `${url}/run`, { as: admin })
    expect([run.status, taskRunView.parse(run.json)]).toMatchObject([202, { trigger: 'manual', state: 'running' }])
    const runs = await api.call('GET', `${url}/runs?limit=5`, { as: admin })
    expect(taskRunView.parse(runs.json.runs[0]).run_id).toBe(run.json.run_id)
    const gone = await api.call('DELETE', url, { as: admin })
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect((await api.call('GET', url, { as: admin })).json).toEqual({
      error: `Task not found: "${made.json.task_id}"`,
      code: 'not_found',
    })
    expect((await api.call('DELETE', url, { as: admin })).status).toBe(404)
  })

  test('are checked without being kept', async () => {
    const checked = await api.call('POST', `${TASKS}/check`, { as: admin, body })
    expect([checked.status, checkedTaskView.parse(checked.json).next_runs.length]).toEqual([200, 5])
    const refused = await api.call('POST', `${TASKS}/check`, { as: admin, body: { ...body, kind: 'x', schedule: 'y' } })
    expect([refused.status, refused.json.code]).toEqual([422, 'invalid_input'])
    expect((await api.call('GET', TASKS, { as: admin })).json.tasks).toEqual([])
  })

  test('are refused with the reason when anything in them is wrong', async () => {
    const said = async (more: object) => {
      const { status, json } = await create(more)
      return [status, json.error]
    }
    expect(await said({ schedule: 5 })).toEqual([422, expect.stringContaining('must be a cron expression')])
    expect(await said({ schedule: { cron: '* * * * *', time_zone: 'Mars' } })).toEqual([
      422,
      expect.stringContaining('IANA'),
    ])
    expect(await said({ parameters: [] })).toEqual([422, expect.stringContaining('"parameters"')])
    expect(await said({ parameters: JSON.parse('{"__proto__": {"calls_after_days": 1}}') })).toEqual([
      422,
      expect.stringContaining('Unknown parameter "__proto__"'),
    ])
    expect(await said({ task_id: 'x' })).toEqual([422, expect.stringContaining('Unknown field "task_id"')])
    expect(await said({ kind: 'evil\u0000' })).toEqual([422, expect.stringMatching(/^Unknown task kind/)])
    expect(await said({ name: ' ' })).toEqual([422, expect.stringContaining('"name"')])
  })

  test('are seen with a key that has the full project and role Admin, and no other', async () => {
    const made = (await create()).json.task_id as string
    const keyOf = async (changes: object) =>
      (await api.keys.mint('p1', { ...overseeing, ...changes }, { name: 'ada', role: 'Admin' })).key
    const others = [
      await keyOf({ roles: ['Supervisor'] }),
      await keyOf({ allowed_agents: ['Ana'] }),
      await keyOf({ require_mapping: true }),
    ]
    for (const path of [TASKS, `${TASKS}/${made}`, `${TASKS}/${made}/runs`]) {
      const shown = await api.call('GET', path, { as: key })
      expect([path, shown.json]).toEqual([path, (await api.call('GET', path, { as: admin })).json])
      for (const other of others) {
        const { status, json } = await api.call('GET', path, { as: other })
        expect([path, status, json.error]).toEqual([path, 403, 'Role Admin and the full project required'])
      }
    }
    await api.call('DELETE', `${TASKS}/${made}`, { as: admin })
  })

  test('are made and changed by administrators alone, and each project’s own', async () => {
    const made = (await create()).json.task_id as string
    for (const [method, path] of [
      ['GET', TASKS],
      ['POST', TASKS],
      ['GET', `${TASKS}/${made}`],
      ['PATCH', `${TASKS}/${made}`],
      ['DELETE', `${TASKS}/${made}`],
      ['POST', `${TASKS}/${made}/run`],
      ['GET', `${TASKS}/${made}/runs`],
      ['POST', `${TASKS}/check`],
    ] as const) {
      expect([path, (await api.call(method, path)).status]).toEqual([path, 401])
      const byKey = await api.call(method, path, { as: key })
      expect([method, path, byKey.status]).toEqual([method, path, method === 'GET' ? 200 : 403])
      const elsewhere = { as: await superToken(), headers: { 'x-project-id': 'p2' } }
      // Lists and new tasks are of the project that is named; there is nothing foreign to find.
      const found = path.includes(made) ? (await api.call(method, path, elsewhere)).status : 404
      expect([path, found]).toEqual([path, 404])
    }
    const other = await api.call('GET', TASKS, { as: await adminToken('p2') })
    expect(other.json).toEqual({ tasks: [], count: 0 })
    expect(
      api.record.find(({ page, outcome }) => page === `DELETE ${TASKS}/:task_id` && outcome === 'refused'),
    ).toBeDefined()
    expect(given.tasks.find(made)).toMatchObject({ name: nightly().kind })
  })
})
