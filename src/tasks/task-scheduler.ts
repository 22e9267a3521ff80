import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Trail } from '../activity/audited.js'
import { Problem } from '../base/problem.js'
import { isoInstant } from '../base/window.js'
import { within } from '../base/within.js'
import type { TaskMeter } from '../metrics/task-meter.js'
import type { Lease, Leases } from '../store/leases.js'
import type { TaskRecord, TaskRunRecord, TaskTrigger } from '../store/records/task.js'
import { taskKinds } from './known-kind.js'
import { runTask, type RunEnd } from './run-task.js'
import type { TaskServices } from './task-services.js'
import { nextRunOf } from './task-view.js'
import type { Tasks } from './tasks.js'

/** Tasks that run at once by their schedule: of all projects, and of one, so that one is left for others. What is due stays due. */
const MOST_RUNNING = 3
const MOST_OF_PROJECT = 2
/** Longest time between two looks at the clock, which may be set or may have stood still. Milliseconds. */
const LONGEST_SLEEP_MS = 30_000
/** A run that begins so much after its time was missed. Milliseconds. */
const LATE_MS = 60_000
/** Time in which running tasks may end by themselves when the service stops, and in which they have to. Milliseconds. */
const FINISH_MS = 4_000
const ABORT_MS = 4_000

/** So long a task that is another process's waits: it runs there, or it is tried there first. Milliseconds. */
const ELSEWHERE_MS = 10_000
/** So long after its time whoever has not what a task needs takes it, to say so. Milliseconds. */
const NOWHERE_MS = 120_000

const leaseOf = (taskId: string): string => `task:${taskId}`

export interface TaskSchedulerParts {
  readonly tasks: Tasks
  /** That a task is run by one process at a time. */
  readonly leases: Leases
  /** Whether other processes run tasks of the same store. */
  readonly isShared: boolean
  readonly services: TaskServices
  readonly trail: Trail
  readonly meter: TaskMeter
  readonly log: Logger
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** For tests: longest time between two looks, in milliseconds. */
  readonly lookEveryMs?: number
}

interface Running {
  readonly project: string
  readonly trigger: TaskTrigger
  readonly abort: AbortController
  readonly ended: Promise<void>
}

/** A run that begins, under the lease of its task. */
interface Begun {
  readonly task: TaskRecord
  readonly lease: Lease
}

/** Nothing to run: another process has the task, or had it since. */
class NotOurs extends Error {}

/**
 * Runs tasks when they are due. When a task is due is in the store: what was missed while no process ran is due when one
 * starts, once, and what a process began and did not end is owed. A task never runs twice at the same time: who runs it has its
 * lease, and a run whose process has no lease any more was cut off.
 */
export class TaskScheduler {
  readonly #parts: TaskSchedulerParts
  readonly #running = new Map<string, Running>()
  /** Tasks that another process has, and until when they are left to it. */
  readonly #elsewhere = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #started: number | undefined
  #stopping = false
  /** After a failure to write: no further attempt before this instant. */
  #holdUntil = 0
  #unlisten = (): void => undefined

  constructor(parts: TaskSchedulerParts) {
    this.#parts = parts
  }

  /** Settles what an earlier process left, and begins to run what is due. */
  async start(): Promise<void> {
    const { tasks } = this.#parts
    await this.#settleCutOff(new Set((await tasks.unfinished()).map(run => run.task_id)))
    this.#started = this.#parts.clock()
    this.#unlisten = tasks.onChange(taskId => {
      if (tasks.find(taskId) === undefined) {
        this.#interrupt(taskId, 'The task was deleted')
        this.#elsewhere.delete(taskId)
      }
      this.#plan()
    })
    this.#plan()
  }

  /** Settles what processes began that have ended since; what others run has its lease. */
  async #settleCutOff(taskIds: Iterable<string>): Promise<void> {
    for (const taskId of taskIds) {
      // oxlint-disable no-await-in-loop -- one task after the other
      const lease = await this.#parts.leases.take(leaseOf(taskId))
      if (lease === undefined) continue
      try {
        await this.#settle(taskId, lease)
      } finally {
        await lease.release()
      }
      // oxlint-enable no-await-in-loop
    }
  }

  /** The same of one task, whose lease this process has. */
  async #settle(taskId: string, lease: Lease): Promise<void> {
    const { tasks, log } = this.#parts
    for (const run of await tasks.unfinished()) {
      if (run.task_id !== taskId) continue
      // One that has been cut off twice in a row may be what ends the process: it waits for its next time.
      const again = run.trigger !== 'repeat'
      const ended = this.#endOf(run, {
        state: 'interrupted',
        error: 'The process ended during this run',
        code: 'cancelled',
      })
      // oxlint-disable-next-line no-await-in-loop -- one run after the other
      await tasks.note(ended, lease, task => owing({ ...task, last_state: 'interrupted' }, again))
      log.warn({ task_id: taskId, run_id: run.run_id, again }, 'a task was cut off by the end of the process')
    }
  }

  /** Tasks that run at this instant. */
  get running(): number {
    return this.#running.size
  }

  /**
   * Begins a run now, by nobody's schedule. Gives back the run as it begins.
   * @throws Problem `not_found`; `conflict` while the task is running
   */
  async runNow(projectId: string, taskId: string): Promise<TaskRunRecord> {
    const task = this.#parts.tasks.get(projectId, taskId)
    if (this.#stopping) throw new Problem('store_unavailable', 'The service is stopping')
    if (this.#running.has(taskId)) throw new Problem('conflict', 'The task is running already')
    return await this.#begin(task, 'manual').catch((error: unknown) => {
      throw error instanceof NotOurs ? new Problem('conflict', 'The task is running already') : error
    })
  }

  /**
   * Runs nothing more. What runs gets a few seconds to end, then it is interrupted; it is owed and runs again at the next
   * start.
   */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#unlisten()
    clearTimeout(this.#timer)
    if (await this.#allEndedWithin(FINISH_MS)) return
    for (const taskId of this.#running.keys()) this.#interrupt(taskId, 'The service was stopped during this run')
    if (await this.#allEndedWithin(ABORT_MS)) return
    this.#parts.log.warn({ running: this.#running.size }, 'tasks did not stop in time')
  }

  async #allEndedWithin(ms: number): Promise<boolean> {
    if (this.#running.size === 0) return true
    const ended = Promise.all([...this.#running.values()].map(one => one.ended)).then(() => true)
    return await within(ms, ended, () => false)
  }

  #interrupt(taskId: string, why: string): void {
    this.#running.get(taskId)?.abort.abort(new Problem('cancelled', why))
  }

  /** Sets the timer for what is due next. */
  #plan(): void {
    if (this.#stopping || this.#started === undefined) return
    clearTimeout(this.#timer)
    const { tasks, clock, lookEveryMs = LONGEST_SLEEP_MS } = this.#parts
    const now = clock()
    const instants = tasks.all().flatMap(task => (this.#mayBegin(task) ? (this.#dueHere(task) ?? []) : []))
    const first = Math.max(this.#holdUntil, Math.min(...instants))
    this.#timer = setTimeout(() => this.#look(), Math.min(lookEveryMs, Math.max(0, first - now)))
    // A listener keeps the process alive; a task that waits does not.
    this.#timer.unref()
  }

  /** Whether a task runs not, and there is room for one of its project. */
  #mayBegin({ task_id: id, project_id: project }: TaskRecord): boolean {
    if (this.#running.has(id)) return false
    const running = [...this.#running.values()]
    const own = running.filter(one => one.project === project).length
    // What was asked for by hand runs at once and takes nothing from other projects.
    const scheduled = running.filter(({ trigger }) => trigger !== 'manual').length
    return own < MOST_OF_PROJECT && MOST_RUNNING - scheduled > (own === 0 ? 0 : MOST_RUNNING - MOST_OF_PROJECT)
  }

  /** Begins what is due: projects in turn, and of each the longest overdue first. */
  #look(): void {
    const { tasks, clock } = this.#parts
    const now = clock()
    if (now >= this.#holdUntil) {
      const lastRuns = lastRunsOf(tasks.all())
      const due = tasks
        .all()
        .flatMap(task => ({ task, at: this.#dueHere(task) ?? Infinity, last: lastRuns.get(task.project_id) ?? 0 }))
        .filter(({ at }) => at <= now)
        .sort((a, b) => a.last - b.last || a.at - b.at)
      for (const { task } of due) {
        if (!this.#mayBegin(task)) continue
        const { task_id: id } = task
        void this.#begin(task, this.#triggerOf(task, now)).catch((error: unknown) => {
          if (error instanceof NotOurs) {
            this.#elsewhere.set(id, clock() + ELSEWHERE_MS)
            this.#plan()
            return
          }
          this.#holdUntil = clock() + LONGEST_SLEEP_MS
          this.#parts.log.error({ err: error, task_id: id }, 'a task could not be started')
        })
      }
      if (this.#parts.isShared) void this.#lookForCutOff()
    }
    this.#plan()
  }

  /** Runs of other processes: which of them has ended nobody else tells. Never rejects. */
  async #lookForCutOff(): Promise<void> {
    const { tasks, leases, log } = this.#parts
    const begun = tasks
      .all()
      .filter(({ task_id: id, last_state: state }) => state === 'running' && !this.#running.has(id))
    if (begun.length === 0) return
    try {
      const held = await leases.held(leaseOf(''))
      await this.#settleCutOff(begun.map(({ task_id: id }) => id).filter(id => !held.has(leaseOf(id))))
    } catch (error) {
      log.error({ err: error }, 'runs that were cut off could not be looked for')
    }
  }

  /** When a task is to run here, milliseconds since 1970: one that others have, or can do better, waits a little. */
  #dueHere(task: TaskRecord): number | undefined {
    const at = dueAt(task)
    if (at === undefined) return undefined
    const left = this.#elsewhere.get(task.task_id) ?? 0
    return Math.max(at, left, this.#isPlaceFor(task) ? 0 : at + NOWHERE_MS)
  }

  /** Whether this process has what a task needs: with others beside, a folder may be theirs. */
  #isPlaceFor({ kind, parameters }: TaskRecord): boolean {
    const { isShared, services } = this.#parts
    return !isShared || taskKinds.find(one => one.name === kind)?.isHere?.(parameters, services) !== false
  }

  #triggerOf(task: TaskRecord, now: number): TaskTrigger {
    if (task.owed === true) return 'repeat'
    const at = dueAt(task) ?? now
    return at < (this.#started ?? 0) || now - at > LATE_MS ? 'missed' : 'schedule'
  }

  /**
   * Resolves when it is on record that the run has begun; the work goes on.
   * @throws NotOurs where another process has the task, or it is not due any more
   */
  #begin(task: TaskRecord, trigger: TaskTrigger): Promise<TaskRunRecord> {
    const { clock } = this.#parts
    const run: TaskRunRecord = {
      run_id: `run_${randomBytes(8).toString('hex')}`,
      task_id: task.task_id,
      trigger,
      state: 'running',
      started_at: isoInstant(clock()),
    }
    const abort = new AbortController()
    const begun = this.#take(run)
    const ended = begun.then(
      async ({ task: noted, lease }) => {
        await this.#work(noted, run, { abort, lease })
        await lease.release()
      },
      () => undefined,
    )
    const over = ended
      .catch((error: unknown) => this.#parts.log.warn({ err: error }, 'the lease of a task could not be given back'))
      .finally(() => {
        this.#running.delete(task.task_id)
        this.#plan()
      })
    this.#running.set(task.task_id, { project: task.project_id, trigger, abort, ended: over })
    return begun.then(() => run)
  }

  /** Takes the lease of a task and notes that a run begins, where it is still to begin. */
  async #take(run: TaskRunRecord): Promise<Begun> {
    const { tasks, leases, clock, isShared } = this.#parts
    const lease = await leases.take(leaseOf(run.task_id))
    if (lease === undefined) throw new NotOurs()
    try {
      // Whoever had the lease before may have run it just now, or may have been killed before others heard of it.
      if (isShared) {
        await tasks.followed.reload()
        await this.#settle(run.task_id, lease)
      }
      const isManual = run.trigger === 'manual'
      const noted = await tasks.note(run, lease, now => {
        // By when it is on record as begun: what became due while this process waited is begun anew, under its own time.
        if (!isManual && (dueAt(now) ?? Infinity) > Date.parse(run.started_at)) throw new NotOurs()
        return {
          // A run asked for by hand takes no scheduled time's place.
          ...(isManual || !now.enabled ? settled(now) : later(settled(now), clock())),
          last_run: run.started_at,
          last_state: 'running',
        }
      })
      if (noted === undefined) throw new Problem('not_found', 'The task was deleted meanwhile')
      return { task: noted, lease }
    } catch (error) {
      await lease.release()
      throw error
    }
  }

  /** Never rejects. */
  async #work(
    task: TaskRecord,
    run: TaskRunRecord,
    { abort, lease }: { readonly abort: AbortController; readonly lease: Lease },
  ): Promise<void> {
    const { tasks, clock, meter, services } = this.#parts
    const log = this.#parts.log.child({ task_id: task.task_id, run_id: run.run_id, kind: task.kind })
    log.info({ trigger: run.trigger }, 'task started')
    const started = performance.now()
    const lose = () => abort.abort(new Problem('cancelled', 'This process could not be known to have the task alone'))
    lease.lost.addEventListener('abort', lose, { once: true })
    const end = await runTask({ ...this.#parts, log }, task, run, abort.signal)
    lease.lost.removeEventListener('abort', lose)
    const seconds = (performance.now() - started) / 1000
    meter.ran({ kind: task.kind, outcome: end.state, seconds })
    log[end.state === 'failed' ? 'error' : 'info'](
      { state: end.state, ms: Math.round(seconds * 1000), ...('error' in end ? { reason: end.error } : {}) },
      'task ended',
    )
    try {
      let passed = false
      await tasks.note(this.#endOf(run, end), lease, now => {
        const due = now.next_run === undefined ? Infinity : Date.parse(now.next_run)
        passed = now.enabled && due <= clock()
        const next = passed ? later(now, clock()) : now
        return owing({ ...next, last_state: end.state }, end.state === 'interrupted' && now.enabled)
      })
      if (passed) {
        meter.skipped(task.kind)
        log.warn('a time of the task passed while it was running')
      }
      if (end.state === 'failed') {
        const { task_id, kind, project_id } = task
        const data = { task_id, kind, run_id: run.run_id, failed_at: isoInstant(clock()), code: end.code }
        await services.events.raise({ event: 'task.failed', project_id, data })
      }
    } catch (error) {
      // The run stays on record as running, so the next start owes it.
      log.error({ err: error }, 'the end of a task could not be put on record')
    }
  }

  #endOf(run: TaskRunRecord, end: RunEnd): TaskRunRecord {
    const ended_at = isoInstant(this.#parts.clock())
    if (end.state !== 'ok') return { ...run, state: end.state, ended_at, error: end.error }
    const { state, summary, result } = end
    return { ...run, state, ended_at, summary, ...(result === undefined ? {} : { result }) }
  }
}

/** When a task of a project began to run last, by its project; milliseconds since 1970. */
function lastRunsOf(tasks: Iterable<TaskRecord>): ReadonlyMap<string, number> {
  const last = new Map<string, number>()
  for (const { project_id: id, last_run: at } of tasks)
    if (at !== undefined) last.set(id, Math.max(last.get(id) ?? 0, Date.parse(at)))
  return last
}

/** When a task is to run, milliseconds since 1970; what is owed is due at once. */
function dueAt({ enabled, owed, next_run: next }: TaskRecord): number | undefined {
  if (!enabled) return undefined
  if (owed === true) return 0
  return next === undefined ? undefined : Date.parse(next)
}

/** The task, due at the next time after `now`, if there is one. */
function later(task: TaskRecord, now: number): TaskRecord {
  const { next_run: _, ...rest } = task
  return { ...rest, ...nextRunOf(task, now) }
}

/** The task, owing nothing. */
function settled(task: TaskRecord): TaskRecord {
  const { owed: _, ...rest } = task
  return rest
}

function owing(task: TaskRecord, owed: boolean): TaskRecord {
  return owed ? { ...task, owed: true } : task
}
