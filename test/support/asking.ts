import { builtInCatalogs } from '../../src/evaluation/rubric/rubric-catalogs.js'
import { defaultRubric } from '../../src/evaluation/rubric/built-in-rubrics.js'
import { scoringOf } from '../../src/evaluation/rubric/scoring.js'
import { anAdmission } from './an-admission.js'
import { threadsHere } from './threads-here.js'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AnsweringParts, createAnswering } from '../../src/questions/create-answering.js'
import type { Answering } from '../../src/questions/answering.js'
import { KnowledgeBase } from '../../src/questions/knowledge/knowledge-base.js'
import type { KnowledgeReader } from '../../src/questions/knowledge/knowledge-bases.js'
import type { KnowledgeDocument } from '../../src/store/records/knowledge-document.js'
import type { Question } from '../../src/questions/question.js'
import { CursorSeal } from '../../src/access/cursor-seal.js'
import type { AccessScope, Caller } from '../../src/access/caller.js'
import { projectCatalogs } from '../../src/calls/catalogs.js'
import { callRecord, type CallRecord } from '../../src/calls/call-record.js'
import { beginStore } from './begun-store.js'
import type { ProjectRecord } from '../../src/store/records/project.js'
import type { ScopedPipeline } from '../../src/pipeline/index.js'
import type { ActivityTable } from '../../src/store/activity-store.js'
import type { RunOptions, RunResult, Store } from '../../src/store/store.js'
import type { DuckDbStore } from '../../src/store/duckdb/duckdb-store.js'
import type { DuckDbStoreOptions } from '../../src/store/duckdb/duckdb-store-options.js'
import { openDuckDbStore } from '../../src/store/duckdb/open-duckdb-store.js'

/** The instant at which every question in these tests is asked. */
export const NOW = Date.parse('2026-03-15T12:00:00Z')

const fullProject: AccessScope = {
  is_supervisor: true,
  roles: ['Admin'],
  allowed_agents: [],
  require_mapping: false,
  text: 'full',
}

/** A caller with the default key of a project, or with some of its fields changed. */
export function caller(changes: Partial<AccessScope> = {}, projectId = 'p'): Caller {
  return {
    project_id: projectId,
    source: 'application_key',
    app_name: 'test',
    credential_id: 'key_1',
    access_scope: { ...fullProject, ...changes },
  }
}

/** Our own questions run in the engine from the first stage to the last: nothing of them may wait in Node. */
async function wholeInEngine(store: Store, scoped: ScopedPipeline, options: RunOptions): Promise<RunResult> {
  const result = await store.run(scoped, options)
  // Only our own pipelines may name derived fields.
  if (scoped.pipeline.derivedFields && result.plan.evaluated_stages > 0)
    throw new Error(`${result.plan.evaluated_stages} stages ran outside the engine`)
  return result
}

export interface Asking {
  readonly store: Store & Pick<DuckDbStore, 'words'> & { readonly activity: ActivityTable }
  /** Ends the store and removes its directory. */
  close(): Promise<void>
  readonly answering: Answering
  import(projectId: string, calls: readonly CallRecord[]): Promise<void>
  ask<I, T>(question: Question<I, T>, args?: object, who?: Caller): Promise<T>
}

/** Questions over a real store with two projects, `p` (of the given time zone) and `other`. */
export async function asking(
  timezone = 'UTC',
  parts: Partial<
    Pick<AnsweringParts, 'catchUp' | 'knowledge' | 'heavy' | 'store' | 'threads' | 'project' | 'teams' | 'clock'>
  > = {},
  opened: Pick<DuckDbStoreOptions, 'rememberBytes' | 'wordSegment'> = {},
): Promise<Asking> {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-test-'))
  await beginStore(dataDir)
  const store = await openDuckDbStore({
    dataDir,
    memoryLimit: '256MB',
    threads: 1,
    rememberBytes: 1024 * 1024,
    ...opened,
  })
  const projects: Readonly<Record<string, ProjectRecord>> = {
    p: { project_id: 'p', name: 'Support', timezone, verticals: [], created_at: '2026-01-01T00:00:00.000Z' },
    other: {
      project_id: 'other',
      name: 'Other',
      timezone: 'UTC',
      verticals: [],
      created_at: '2026-01-01T00:00:00.000Z',
    },
  }
  const cursors = new CursorSeal(randomBytes(32).toString('base64url'))
  const answering = createAnswering({
    light: anAdmission().lightQuestions,
    heavy: anAdmission().heavyQuestions,
    budgets: anAdmission().budgets,
    pipelineReading: anAdmission().pipelineReading,
    threads: threadsHere,
    store: {
      activity: store.activity,
      calls: store.calls,
      run: (scoped, options) => wholeInEngine(store, scoped, options),
      plan: scoped => store.plan(scoped),
      counts: store.counts,
    },
    feedback: store.events.feedback,
    catchUp: async () => undefined,
    knowledge: () => undefined,
    teams: { find: () => undefined, list: () => [] },
    project: id => projects[id],
    catalogs: project => projectCatalogs(project, builtInCatalogs),
    scoring: async project => scoringOf(defaultRubric, project.verticals),
    cursors: who => cursors.of(who),
    deadlineMs: 60_000,
    clock: () => NOW,
    ...parts,
  })
  return {
    store,
    close: async () => {
      await store.close()
      rmSync(dataDir, { recursive: true })
    },
    answering,
    import: async (projectId, calls) => {
      await store.calls.upsert(
        projectId,
        calls.map(call => {
          callRecord.parse(call)
          const agent_id = call.agent_id ?? call.agent_name.toLowerCase()
          return {
            session_id: call.session_id,
            agent_id,
            agent_name: call.agent_name,
            json: JSON.stringify({ ...call, agent_id }),
          }
        }),
      )
    },
    ask: async <I, T>(question: Question<I, T>, args: object = {}, who = caller()) =>
      (await answering.answer(question, who, args, { requestId: 'r' })) as T,
  }
}

/** Documents as questions read them, found by their words. */
export function knowledgeOf(documents: readonly KnowledgeDocument[]): KnowledgeReader {
  const base = new KnowledgeBase(documents)
  return { documents: base.documents, search: (query, limit) => base.search(query, limit) }
}
