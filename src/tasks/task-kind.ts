import type { Logger } from 'pino'
import type { z } from 'zod'
import type { ProjectRecord } from '../store/records/project.js'
import type { TaskServices } from './task-services.js'

/** Where a task is set up or runs. */
export interface TaskSetting {
  readonly services: TaskServices
  readonly project: ProjectRecord
  /** Milliseconds since 1970. */
  readonly now: number
  /** Whether it runs; else it is being made or changed. */
  readonly isRun: boolean
}

/** One run of a task. */
export interface TaskContext extends TaskSetting {
  readonly taskId: string
  readonly runId: string
  /** Aborts when the service stops or the task is deleted: what was done so far stays, a repeat does the rest. */
  readonly signal: AbortSignal
  readonly log: Logger
}

/** What came of a run. */
export interface TaskResult {
  /** In a sentence, for people. */
  readonly summary: string
  /** Counts, and names of files written. Never text of calls, names of agents or ids of sessions. */
  readonly result?: Readonly<Record<string, unknown>>
}

/** Something that can be done again and again. Running it twice does no harm: a run that was cut off is repeated. */
export interface TaskKind<P = unknown> {
  readonly name: string
  /** What it does, in a line. */
  readonly title: string
  /** Strict, with defaults. */
  readonly parameters: z.ZodType<P>
  /**
   * Refuses, with a Problem, what fits the schema and still can't work here. Asked when a task is made or changed, and
   * before every run.
   */
  check(parameters: P, setting: TaskSetting): void | Promise<void>
  run(parameters: P, context: TaskContext): Promise<TaskResult>
  /**
   * Whether a process has what it needs of a machine, as far as settings say: among several one that has it is to run it. Absent: all
   * have.
   */
  isHere?(parameters: P, services: TaskServices): boolean
}

/** Keeps the type of the parameters bound to their schema. */
export function taskKind<S extends z.ZodType>(definition: {
  name: string
  title: string
  parameters: S
  check(parameters: z.output<S>, setting: TaskSetting): void | Promise<void>
  run(parameters: z.output<S>, context: TaskContext): Promise<TaskResult>
  isHere?(parameters: z.output<S>, services: TaskServices): boolean
}): TaskKind {
  return definition
}
