import { z } from 'zod'
import { EventOperations } from './event-operations.js'
import type { NewKey } from '../../access/key-fields.js'
import type { KeyView, MintedKey } from '../../access/key-view.js'
import type { NewProject, ProjectPatch } from '../../access/project-fields.js'
import type { BackupOptions, BackupReport } from '../../backup/create-backup.js'
import { type Comparison, comparison } from '../../evaluation/run/compare-evaluators.js'
import { type LiftReport, liftReport } from '../../evaluation/lift/lift-report.js'
import { AS_SEEN_URL, BACKUP_URL, COMPARE_URL, EVALUATE_URL, LIFT_URL } from '../../control/control-routes.js'
import {
  evaluationProgress,
  type EvaluationProgress,
  evaluationReport,
  type EvaluationReport,
} from '../../evaluation/run/evaluation-report.js'
import { FEEDBACK_PAGE, FEEDBACK_URL } from '../../control/feedback-routes.js'
import { CALL_URL } from '../../rest/erase-routes.js'
import { EXPORT_URL } from '../../rest/export-routes.js'
import type { Door, Errand, Lines } from '../../control/door.js'
import type { FeedbackIntake } from '../../ingest/feedback-intake.js'
import type { RubricTrial } from '../../questions/try-rubric.js'
import { RUBRIC_VERSIONS_URL, type RestoredRubric } from '../../control/rubric-transfer-routes.js'
import type { AboutRubricVersion, GivenRubric, RubricAnswer, RubricVersionAnswer } from '../../rest/rubric-routes.js'
import type { SeenByKey } from '../../questions/key-as-seen.js'
import type { KnowledgeDocument, KnowledgeDraft } from '../../store/knowledge-store.js'
import type { KeptFeedback } from '../../store/event-store.js'
import type { ProjectRecord } from '../../store/records.js'
import { TaskOperations } from './task-operations.js'

const PROJECTS = '/api/v1/projects'
const PROJECT = `${PROJECTS}/:project_id`
const KEYS = '/projects/:project_id/mcp-keys'
const KEY = `${KEYS}/:key_id`
const RUBRIC = '/api/v1/rubric'
const DOCUMENTS = '/api/v1/knowledge-base'

/** A document of a knowledge base, without its text. */
export type ListedDocument = Omit<KnowledgeDocument, 'project_id' | 'sections'> & { readonly sections: number }

/** Who waits for something that takes long: ends it, and hears how far it is. */
interface Watching {
  readonly signal: AbortSignal
  readonly onProgress: (progress: EvaluationProgress) => void
}

/** What commands do, through whichever door is open. All reject with the Problems of the routes. */
export class Operations {
  readonly #door: Door

  constructor(door: Door) {
    this.#door = door
  }

  /** Webhooks and alerts of a project. */
  eventsOf(projectId: string): EventOperations {
    return new EventOperations(this.#door, projectId)
  }

  async projects(): Promise<readonly ProjectRecord[]> {
    const { projects } = await this.#ask<{ projects: readonly ProjectRecord[] }>('GET', PROJECTS)
    return projects
  }

  project(project_id: string): Promise<ProjectRecord> {
    return this.#ask('GET', PROJECT, { project_id })
  }

  createProject(fields: NewProject): Promise<ProjectRecord> {
    return this.#ask('POST', PROJECTS, {}, fields)
  }

  changeProject(project_id: string, patch: ProjectPatch): Promise<ProjectRecord> {
    return this.#ask('PATCH', PROJECT, { project_id }, patch)
  }

  async keys(project_id: string, includeRevoked: boolean): Promise<readonly KeyView[]> {
    const query = { include_revoked: String(includeRevoked) }
    const answer = await this.#door.ask({ method: 'GET', url: KEYS, params: { project_id }, query })
    return (answer as { keys: readonly KeyView[] }).keys
  }

  key(project_id: string, key_id: string): Promise<KeyView> {
    return this.#ask('GET', KEY, { project_id, key_id })
  }

  keyAsSeen(project_id: string, key_id: string): Promise<SeenByKey> {
    return this.#ask('GET', AS_SEEN_URL, { project_id, key_id })
  }

  mintKey(project_id: string, fields: NewKey): Promise<MintedKey> {
    return this.#ask('POST', KEYS, { project_id }, fields)
  }

  rotateKey(project_id: string, key_id: string, grace_seconds: number): Promise<MintedKey> {
    return this.#ask('POST', `${KEY}/rotate`, { project_id, key_id }, { grace_seconds })
  }

  revokeKey(project_id: string, key_id: string): Promise<KeyView> {
    return this.#ask('DELETE', KEY, { project_id, key_id })
  }

  async documents(project: string): Promise<readonly ListedDocument[]> {
    const answer = await this.#door.ask({ method: 'GET', url: DOCUMENTS, project })
    return (answer as { documents: readonly ListedDocument[] }).documents
  }

  /** A document with its text. */
  document(project: string, kb_id: string): Promise<KnowledgeDraft> {
    return this.#inProject({ method: 'GET', url: `${DOCUMENTS}/:kb_id`, params: { kb_id }, project })
  }

  /** Gives back whether it replaced one. */
  async putDocument(project: string, body: KnowledgeDraft): Promise<boolean> {
    const answer = await this.#door.ask({ method: 'POST', url: DOCUMENTS, project, body })
    return (answer as { replaced: boolean }).replaced
  }

  async removeDocument(project: string, kb_id: string): Promise<void> {
    await this.#door.ask({ method: 'DELETE', url: `${DOCUMENTS}/:kb_id`, params: { kb_id }, project })
  }

  /** Scheduled tasks. */
  get tasks(): TaskOperations {
    return new TaskOperations(this.#door)
  }

  /** Copies everything into an empty directory; an absolute path. */
  async backup(directory: string, maxPause: number, onProgress: BackupOptions['onProgress']): Promise<BackupReport> {
    const query = { directory, max_pause: String(maxPause) }
    const onLine = (line: object) => onProgress(line as Parameters<BackupOptions['onProgress']>[0])
    return (await this.#door.ask({ method: 'POST', url: BACKUP_URL, query, onLine })) as BackupReport
  }

  async eraseCall(project: string, interaction_id: string): Promise<void> {
    await this.#door.ask({ method: 'DELETE', url: CALL_URL, params: { interaction_id }, project })
  }

  /** Every call of a project; see Door. */
  export(project: string, signal: AbortSignal): Promise<Lines> {
    return this.#door.lines({ method: 'GET', url: EXPORT_URL, project, signal })
  }

  /** All feedback on a project's calls, oldest first, read as it is taken. */
  async *feedback(project_id: string): AsyncGenerator<KeptFeedback> {
    const errand = { method: 'GET', url: FEEDBACK_URL, params: { project_id } } as const
    let query = {}
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- where a page begins, the one before says
      const { feedback } = await this.#inProject<{ feedback: readonly KeptFeedback[] }>({ ...errand, query })
      yield* feedback
      const last = feedback.at(-1)
      if (last === undefined || feedback.length < FEEDBACK_PAGE) return
      query = { created_at: last.created_at, feedback_id: last.feedback_id }
    }
  }

  /** Keeps feedback as it was given once, and tells nobody; up to 500 at a time. */
  restoreFeedback(
    project_id: string,
    feedback: readonly KeptFeedback[],
    redact: boolean,
  ): ReturnType<FeedbackIntake['restore']> {
    return this.#ask('POST', FEEDBACK_URL, { project_id }, { feedback, redact })
  }

  rubric(project: string, version?: string): Promise<RubricVersionAnswer> {
    const query = version === undefined ? {} : { version }
    return this.#inProject({ method: 'GET', url: RUBRIC, project, query })
  }

  async rubricVersions(project: string): Promise<readonly AboutRubricVersion[]> {
    const url = `${RUBRIC}/versions`
    const { versions } = await this.#inProject<{ versions: AboutRubricVersion[] }>({ method: 'GET', url, project })
    return versions
  }

  setRubric(project: string, body: GivenRubric): Promise<RubricAnswer> {
    return this.#inProject({ method: 'PUT', url: RUBRIC, project, body })
  }

  /** Adds a version as it was set elsewhere, also one that can't be read here. */
  restoreRubric(project_id: string, body: GivenRubric): Promise<RestoredRubric> {
    return this.#ask('POST', RUBRIC_VERSIONS_URL, { project_id }, body)
  }

  tryRubric(project: string, body: GivenRubric & { readonly sample: number }): Promise<RubricTrial> {
    return this.#inProject({ method: 'POST', url: `${RUBRIC}/try`, project, body })
  }

  /** Evaluates calls of a project; see evaluateCalls. */
  async evaluate(
    project_id: string,
    query: Readonly<Record<string, string>>,
    watching: Watching,
  ): Promise<EvaluationReport> {
    return evaluationReport.parse(await this.#evaluating(EVALUATE_URL, project_id, query, watching))
  }

  /** How far the model and the rules agree on a sample; see compareEvaluators. */
  async compareEvaluators(
    project_id: string,
    query: Readonly<Record<string, string>>,
    watching: Watching,
  ): Promise<Comparison> {
    return comparison.parse(await this.#evaluating(COMPARE_URL, project_id, query, watching))
  }

  /** What takes long and tells on the way how far it is. */
  async #evaluating(
    url: string,
    project_id: string,
    query: Readonly<Record<string, string>>,
    { signal, onProgress }: Watching,
  ): Promise<unknown> {
    const onLine = (line: unknown) => onProgress(evaluationProgress.parse(line))
    return await this.#door.ask({ method: 'POST', url, params: { project_id }, query, signal, onLine })
  }

  /** Fits outcome lift anew; see refitLift. */
  async refitLift(project_id: string, signal: AbortSignal): Promise<readonly LiftReport[]> {
    const answer = await this.#door.ask({ method: 'POST', url: LIFT_URL, params: { project_id }, signal })
    return z.object({ lift: z.array(liftReport) }).parse(answer).lift
  }

  async #inProject<T>(errand: Errand): Promise<T> {
    return (await this.#door.ask(errand)) as T
  }

  /** See Door. */
  import: Door['import'] = (projectId, work, dryRun) => this.#door.import(projectId, work, dryRun)

  /** A server of another version than this command is refused before, so its answers are ours. */
  async #ask<T>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    params: Readonly<Record<string, string>> = {},
    body?: object,
  ): Promise<T> {
    return (await this.#door.ask({ method, url, params, ...(body === undefined ? {} : { body }) })) as T
  }
}
