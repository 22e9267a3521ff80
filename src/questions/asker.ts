import type { Caller } from '../access/caller.js'
import type { ThreadWork } from '../admission/threads.js'
import type { Catalogs } from '../calls/catalogs.js'
import type { Scoring } from '../evaluation/rubric/scoring.js'
import type { CountedAgent, CountedByAny, Document, PackedCount, TextAccess, TimeSpan } from '../pipeline/index.js'
import type { RunPlan, RunResult } from '../store/store.js'
import type { FeedbackRecord } from '../store/records/feedback.js'
import type { LiftFitRecord } from '../store/records/lift-fit.js'
import type { ProjectRecord } from '../store/records/project.js'
import type { ActivityReader } from './activity-reader.js'
import type { GroupCell } from './group-cell.js'
import type { HeardTeams } from './heard-teams.js'
import type { KnowledgeReader } from './knowledge/knowledge-bases.js'

/**
 * Someone asking, at one instant: the only way from a question to the calls. `ask` narrows every pipeline to the
 * caller's scope; a question has no store and so no way around it.
 */
export interface Asker {
  readonly caller: Caller
  readonly project: ProjectRecord
  /** The project's catalogs, narrowed by its verticals. */
  readonly catalogs: Catalogs
  /** How calls of the project are scored. Rejects with a Problem where the project's rubric can't be read any more. */
  scoring(): Promise<Scoring>
  /** The instant of the request, milliseconds since 1970. */
  readonly now: number
  /** Whether the key has had what it may have in a day, and is answered all the same: then nothing is worked out of calls. */
  isPastBudget(): boolean
  /**
   * Runs one of our own pipelines over the calls in scope that have begun; it may use the record's derived fields too. One
   * that begins with a $match on a later `created_dt` reaches calls that are dated ahead as well.
   */
  ask(pipeline: readonly object[], options?: AskOptions): Promise<readonly Document[]>
  /**
   * Some calls, and what a last stage ($project or $unset) shows of each: with texts where the caller sees any, and masked where
   * they are seen masked. What chooses the calls never sees a text of such a caller.
   */
  show(choosing: readonly object[], shape: object, options?: AskOptions): Promise<readonly Document[]>
  /**
   * The figures of each agent's calls of a period that is over, and nothing over fewer calls than the caller's least: the one
   * way to calls of a caller that is told of groups alone.
   */
  groups(month: { readonly from: number; readonly until: number }): Promise<readonly GroupCell[]>
  /**
   * Runs one of our own pipelines over counts of the calls in scope that have begun, by local days of the project: what
   * adds up costs by days there, not by calls. See narrowCounts; a span that reaches beyond now has later calls as well.
   */
  count(by: CountedByAny, pipeline: readonly object[], options?: CountOptions): Promise<readonly Document[]>
  /** What is found of counts of days that stay as they are is kept: worth asking for by itself. */
  readonly keepsSettled: boolean
  /** How many calls in scope are dated after this instant. */
  futureCalls(): Promise<number>
  /**
   * Runs a pipeline that the caller wrote, guarded and narrowed like any other. It knows the record’s own fields only.
   * Rejects with a Refusal that names the place.
   */
  query(pipeline: unknown, options: QueryOptions): Promise<QueryResult>
  /** What would run of such a pipeline, the caller's restriction in it, and where. Runs nothing. */
  explain(pipeline: unknown): Promise<QueryPlan>
  /** Does work on what was read in a thread of its own: for what grows with a project. What goes in and out is copied. */
  apart<Task, Result>(work: ThreadWork<Task, Result>, task: Task): Promise<Result>
  /** What the lifts of the project's calls were made of. */
  lift(): Promise<LiftBasis>
  /** What people said of a call, oldest first: only of one that was found in scope. Their texts are there where the caller sees texts as they are. */
  feedback(sessionId: string): Promise<readonly FeedbackRecord[]>
  /** The newest verdicts on calls in scope that have begun, and what was answered to them, oldest first. */
  verdicts(most: number): Promise<readonly FeedbackRecord[]>
  /** Who asked what in the project. Only for questions with a role: it is not narrowed to agents. */
  readonly activity: ActivityReader
  /** Whether the texts of calls are there for the caller; where they are not, or masked, no question finds a call by any. */
  readonly text: TextAccess
  /** Teams of the project, as far as the caller hears their agents. */
  readonly teams: HeardTeams
  /** The project's own documents; undefined when it has none, or the caller does not see texts as they are. */
  readonly knowledge: KnowledgeReader | undefined
  /** Cursors bound to question, arguments, project and key. */
  readonly cursors: Cursors
}

/** What the lifts of calls were made of. */
export interface LiftBasis {
  /** What they explain, as the fits that made them say. */
  readonly outcome: string
  /**
   * The fits; undefined to who doesn't hear the whole project, since they say how many calls there are of others, and how
   * those do.
   */
  readonly fits: readonly LiftFitRecord[] | undefined
}

export interface AskOptions {
  /** See RunOptions. */
  readonly endsEarly?: true
  /** Most documents that come back; default 1,000. */
  readonly maxDocuments?: number
  /** Calls that are dated ahead too, for what looks names up and counts nothing. */
  readonly future?: true
}

export interface CountOptions extends AskOptions {
  /** Times to count in, which have nothing in common. Default all time. */
  readonly spans?: readonly TimeSpan[]
  /** Values are counted of each agent by itself, and told in these fields. */
  readonly packed?: readonly PackedCount[]
  /** With them: only these agents count, each told by its place here as `agent`. An id that is missing is an empty one. */
  readonly roster?: readonly CountedAgent[]
  /** Levels of trust whose calls are left out. */
  readonly doubted?: readonly string[]
  /** Of a day only its month is asked: far fewer documents, each of a day of it. */
  readonly months?: true
}

export interface QueryOptions {
  /** Most documents that come back. */
  readonly maxDocuments: number
  /** Most bytes of JSON that they have at least. */
  readonly maxBytes: number
}

export interface QueryResult extends RunResult {
  /** Advice to whoever wrote the pipeline. */
  readonly warnings: readonly string[]
}

export interface QueryPlan {
  /** As MongoDB's JSON. The project is never shown. */
  readonly pipeline: readonly object[]
  readonly plan: RunPlan
  readonly warnings: readonly string[]
}

/** Seals a position in a list for the caller and opens it again. */
export interface Cursors {
  /** @param input the question's arguments without the cursor itself */
  seal(question: string, input: object, position: unknown): string
  /** The position a cursor holds. Throws `Cursor belongs to another query` for any difference. */
  open(question: string, input: object, cursor: string): unknown
}
