import { Problem } from '../../src/base/problem.js'
import { defaultRubric } from '../../src/evaluation/rubric/built-in-rubrics.js'
import { MemoryTasks } from '../support/memory-tasks.js'
import { KeptTrail } from '../support/kept-trail.js'
import { Recordings } from '../../src/ingest/recordings.js'
import { InProcessTurns } from '../../src/store/in-process-turns.js'
import { InProcessLeases } from '../../src/store/in-process-leases.js'
import { Reports } from '../../src/tasks/reports.js'
import { silent } from '../support/access.js'
import type { NewEvent } from '../../src/events/event-kinds.js'
import type { MeasuredRun } from '../../src/metrics/task-meter.js'
import type { ProjectRecord } from '../../src/store/records/project.js'
import { TaskScheduler } from '../../src/tasks/task-scheduler.js'
import type { Store } from '../../src/store/store.js'
import { threadsHere } from '../support/threads-here.js'
import type { TaskServices } from '../../src/tasks/task-services.js'
import { Tasks } from '../../src/tasks/tasks.js'

export const project = (id: string, timezone = 'UTC'): ProjectRecord => ({
  project_id: id,
  name: id,
  timezone,
  verticals: [],
  created_at: '2026-01-01T00:00:00.000Z',
})

const missing = () => Promise.reject(new Error('not part of this test'))

/** What tasks work with, where a test needs only some of it; projects are `p` (Europe/Berlin), `q`, `p1` and `p2` (UTC). */
export function services(parts: Partial<TaskServices> = {}): TaskServices & { readonly raised: NewEvent[] } {
  const projects = [project('p', 'Europe/Berlin'), project('q'), project('p1'), project('p2')]
  const raised: NewEvent[] = []
  return {
    raised,
    answering: { answer: missing },
    calls: {
      upsert: missing,
      preview: missing,
      erase: missing,
      eraseAll: missing,
      eraseTranscripts: missing,
      recordingsOfOnly: async () => [],
      olderThan: missing,
      agentIds: missing,
      languages: missing,
      chooseToEvaluate: missing,
      toEvaluate: missing,
      writeEvaluations: missing,
      countTexts: missing,
      texts: missing,
      writeTexts: missing,
      countLiftCalls: missing,
      alikeCalls: () => {
        throw new Error('not part of this test')
      },
      liftPages: () => {
        throw new Error('not part of this test')
      },
      writeLifts: missing,
      liftFits: missing,
      writeLiftFit: missing,
    },
    privacy: { heldAmong: async () => [] },
    turns: new InProcessTurns(),
    rubrics: { of: async () => ({ ...defaultRubric, text: '', source: 'built-in' }) },
    threads: threadsHere,
    models: {
      evaluator: () => {
        throw new Problem('not_configured', 'No language model is configured')
      },
      inBatches: async () => {
        throw new Problem('not_configured', 'No language model is configured')
      },
    },
    knowledge: { list: missing, put: missing, remove: missing },
    imports: { imported: () => undefined },
    projects: {
      list: () => projects,
      get: id => {
        const found = projects.find(one => one.project_id === id)
        if (found === undefined) throw new Error(`no project ${id}`)
        return found
      },
      takingAway: (_, take) => take(),
    },
    importDir: undefined,
    bucket: undefined,
    reports: new Reports({
      store: { note: missing, named: missing, naming: async () => [] },
      reportDir: undefined,
      log: silent,
    }),
    recordings: new Recordings(undefined),
    tableExports: { write: missing },
    maxRecordBytes: 1024 * 1024,
    events: {
      raise: async event => void raised.push(event),
      hush: () => undefined,
      lookForChanges: async () => undefined,
    },
    ...parts,
  }
}

/** How a scheduler of a test is another than alone over tasks in memory. */
interface Around {
  /** The store that several have. */
  readonly sharing?: Pick<Store, 'tasks' | 'turns' | 'versions' | 'leases'>
  readonly services?: Partial<TaskServices>
  readonly clock?: () => number
  readonly lookEveryMs?: number
}

/** A scheduler over tasks in memory. The work of its tasks, which are of kind retention, is `work`: it finds ids, or none. */
export async function aScheduler(
  work: () => Promise<void | readonly string[]>,
  store = new MemoryTasks(),
  { sharing, clock = Date.now, ...around }: Around = {},
) {
  const given = services(around.services)
  const calls: TaskServices['calls'] = {
    ...given.calls,
    olderThan: async () => (await work()) ?? [],
    eraseAll: async (_, ids) => ids.length,
  }
  const all = { ...given, calls }
  const ran: MeasuredRun[] = []
  const skips: string[] = []
  const meter = { ran: (run: MeasuredRun) => void ran.push(run), skipped: (kind: string) => void skips.push(kind) }
  const tasks = await Tasks.load({ store: sharing?.tasks ?? store, ...(sharing && { sharing }), services: all, clock })
  const trail = new KeptTrail()
  const scheduler = new TaskScheduler({
    tasks,
    leases: sharing?.leases ?? new InProcessLeases(),
    isShared: sharing !== undefined,
    services: all,
    trail,
    meter,
    log: silent,
    clock,
    ...(around.lookEveryMs !== undefined && { lookEveryMs: around.lookEveryMs }),
  })
  return { store, tasks, scheduler, ran, skips, trail, raised: given.raised }
}

/** A task as an administrator writes one down. */
export const nightly = (cron = '0 3 * * *') => ({
  kind: 'retention',
  schedule: { cron, time_zone: undefined },
  parameters: { calls_after_days: 30 } as Record<string, unknown>,
  enabled: true,
})
