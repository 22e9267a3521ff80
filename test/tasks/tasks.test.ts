import { describe, expect, it } from 'vitest'
import { MemoryTasks } from '../support/memory-tasks.js'
import { refusal } from '../support/access.js'
import { Tasks } from '../../src/tasks/tasks.js'
import type { TaskServices } from '../../src/tasks/task-services.js'
import { nightly, services } from './support.js'

const NOW = Date.parse('2026-03-01T00:00:00Z')

async function registry(store = new MemoryTasks(), parts: Partial<TaskServices> = {}) {
  return { store, tasks: await Tasks.load({ store, services: services(parts), clock: () => NOW }) }
}

/** What a check of a kind that reads the rubric waits for, each one that came. */
function slowRubrics() {
  const gates: (() => void)[] = []
  const { rubrics } = services()
  const of: typeof rubrics.of = async (...asked) => {
    await new Promise<void>(resolve => void gates.push(resolve))
    return await rubrics.of(...asked)
  }
  return { gates, rubrics: { of } }
}

const pending = (parameters: Record<string, unknown> = {}) => ({ ...nightly(), kind: 'evaluate_pending', parameters })

describe('a new task', () => {
  it('is named after its kind, in the project’s time zone, with defaults, and due', async () => {
    const { store, tasks } = await registry()
    const made = await tasks.create('p', nightly(), 'ada@example.com')
    expect(made).toEqual({
      task_id: expect.stringMatching(/^task_[0-9a-f]{16}$/),
      project_id: 'p',
      name: 'retention',
      kind: 'retention',
      cron: '0 3 * * *',
      time_zone: 'Europe/Berlin',
      parameters: { calls_after_days: 30 },
      enabled: true,
      created_at: '2026-03-01T00:00:00.000Z',
      created_by: 'ada@example.com',
      next_run: '2026-03-01T02:00:00.000Z',
    })
    expect((await registry(store)).tasks.list('p')).toEqual([made])
    expect(tasks.list('q')).toEqual([])
  })

  it('of an unknown kind is refused with the known ones', async () => {
    const { tasks } = await registry()
    expect(await refusal(() => tasks.create('p', { ...nightly(), kind: 'retenton' }, 'ada'))).toBe(
      'invalid_input: Unknown task kind "retenton", did you mean "retention"? (known: "change_report", "import_folder", "import_bucket", "retention", "knowledge_base_refresh", "webhook_digest", "evaluate_pending", "lift_refit", "export_tables")',
    )
  })

  it('with parameters its kind does not take is refused with the reason', async () => {
    const { tasks } = await registry()
    const said = (kind: string, parameters: Record<string, unknown>) =>
      refusal(() => tasks.create('p', { ...nightly(), kind, parameters }, 'ada'))
    expect(await said('retention', {})).toMatch(/"calls_after_days" is required/)
    expect(await said('retention', { calls_after_days: 0 })).toMatch(/"calls_after_days"/)
    expect(await said('retention', { calls_after_day: 3 })).toMatch(/did you mean "calls_after_days"/)
    expect(await said('retention', { calls_after_days: 3, transcripts_after_days: 5 })).toMatch(/must be less than/)
    expect(await said('change_report', { period: 'sometimes' })).toMatch(/is not a period/)
    expect(await said('change_report', {})).toBe(
      'invalid_input: Tasks of this kind need EARSHOT_REPORT_DIR, which is not set',
    )
    expect(await said('import_folder', { folder: 'drop' })).toMatch(/need EARSHOT_IMPORT_DIR, which is not set/)
    expect(await said('change_report', { deliver: 'event', folder: 'x' })).toMatch(/"folder" is for deliver "file"/)
  })
})

describe('a change', () => {
  it('of the schedule sets a new time, one of the name leaves the time alone', async () => {
    const { tasks } = await registry()
    const { task_id: id } = await tasks.create('p', nightly(), 'ada')
    expect((await tasks.patch('p', id, { name: 'Nightly' })).next_run).toBe('2026-03-01T02:00:00.000Z')
    const changed = await tasks.patch('p', id, { schedule: { cron: '0 4 * * *', time_zone: 'UTC' } })
    expect(changed).toMatchObject({ name: 'Nightly', next_run: '2026-03-01T04:00:00.000Z' })
    expect((await tasks.patch('p', id, { enabled: false })).next_run).toBeUndefined()
  })

  it('that is wrong, or of a task of another project, changes nothing', async () => {
    const { tasks } = await registry()
    const made = await tasks.create('p', nightly(), 'ada')
    expect(await refusal(() => tasks.patch('p', made.task_id, { parameters: { x: 1 } }))).toMatch(/^invalid_input/)
    expect(await refusal(() => tasks.patch('q', made.task_id, { name: 'x' }))).toMatch(/^not_found: Task not found/)
    expect(await refusal(() => tasks.remove('q', made.task_id))).toMatch(/^not_found/)
    expect(await refusal(() => tasks.runs('q', made.task_id, { limit: 1 }))).toMatch(/^not_found/)
    expect(tasks.get('p', made.task_id)).toEqual(made)
  })
})

describe('a check that takes its time', () => {
  it('keeps no other task waiting, of whichever project', async () => {
    const { gates, rubrics } = slowRubrics()
    const { tasks } = await registry(undefined, { rubrics })
    const making = tasks.create('p', pending(), 'ada')
    await expect.poll(() => gates).toHaveLength(1)
    const other = await tasks.create('q', nightly(), 'ada')
    await tasks.followed.reload()
    gates.shift()?.()
    const { task_id: id } = await making
    const changing = tasks.patch('p', id, { name: 'Slow' })
    await expect.poll(() => gates).toHaveLength(1)
    await tasks.patch('q', other.task_id, { name: 'Quick' })
    gates.shift()?.()
    expect(await changing).toMatchObject({ name: 'Slow' })
  })

  it('is made once more of what another changed meanwhile, and none of that is lost', async () => {
    const { gates, rubrics } = slowRubrics()
    const { tasks } = await registry(undefined, { rubrics })
    const making = tasks.create('p', pending(), 'ada')
    await expect.poll(() => gates).toHaveLength(1)
    gates.shift()?.()
    const { task_id: id } = await making
    const both = [
      tasks.patch('p', id, { parameters: { stale: true } }),
      tasks.patch('p', id, { schedule: { cron: '0 4 * * *', time_zone: 'UTC' } }),
    ]
    await expect.poll(() => gates).toHaveLength(2)
    for (const go of gates.splice(0)) go()
    await expect.poll(() => gates).toHaveLength(1)
    gates.shift()?.()
    await Promise.all(both)
    expect(tasks.get('p', id)).toMatchObject({ cron: '0 4 * * *', parameters: { stale: true } })
  })
})
