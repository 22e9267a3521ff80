import type { Readable } from 'node:stream'
import type { RunRubric } from '../evaluation/run/evaluate-batch.js'
import type { EvaluationSetting } from '../store/records.js'
import type { CallStore } from '../store/store.js'

/** A request of the operator, named by the route that serves it. */
export interface Errand {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The route's template, such as `/projects/:project_id/mcp-keys`. */
  readonly url: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  /** The project it is about, where the route's path doesn't name it. */
  readonly project?: string
  /** Hears the lines that are said ahead of the answer, by a route that streams. */
  readonly onLine?: (line: object) => void
  /** Ends what is under way. */
  readonly signal?: AbortSignal
}

/** An answer in lines. */
export interface Lines {
  /** How many there will be. */
  readonly total: number
  /** Pieces of whole lines. It fails when it breaks off. */
  readonly stream: Readable
}

/** What an import came to, as far as it is counted. */
export interface ImportEnd {
  readonly stored: number
  readonly duplicates: number
  readonly rejected: number
}

/** What an import writes to. */
export interface ImportTarget extends Pick<CallStore, 'upsert' | 'preview' | 'agentIds'> {
  /** The project's setting: personal data is masked in all calls that come into it. */
  readonly redact: boolean
  /** The project's setting: how calls get an evaluation that bring none. */
  readonly evaluation: EvaluationSetting
  /** What rules evaluate the project's calls by; undefined where its rubric can't be read. */
  readonly rubric: RunRubric | undefined
}

/**
 * How a command reaches what is kept: the store itself, or the running server that holds it. Both serve the same routes
 * with the operator's rights, and put every errand on record.
 */
export interface Door {
  /** @returns the route's answer. @throws Problem, the same by both ways */
  ask(errand: Errand): Promise<object>
  /** The same where the answer is a stream of lines; whoever gets it reads it to its end or destroys it. */
  lines(errand: Errand): Promise<Lines>
  /**
   * Runs an import into a project.
   *
   * @param dryRun the work only looks: there is nothing to put on record
   * @throws Problem `not_found` (no such project)
   */
  import<T extends ImportEnd>(
    projectId: string,
    work: (target: ImportTarget) => Promise<T>,
    dryRun?: boolean,
  ): Promise<T>
  close(): Promise<void>
}
