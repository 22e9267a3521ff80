import type { Admission } from '../admission/admission.js'
import { CursorSeal } from '../access/cursor-seal.js'
import { type Catalogs, projectCatalogs } from '../calls/catalogs.js'
import type { Config } from '../config.js'
import { scoringOf } from '../evaluation/rubric/scoring.js'
import { runRubricOf } from '../evaluation/run/run-rubric.js'
import type { Answering } from '../questions/answering.js'
import { createAnswering } from '../questions/create-answering.js'
import type { KnowledgeBases } from '../questions/knowledge/knowledge-bases.js'
import type { ProjectRecord } from '../store/records/project.js'
import type { Installation } from './open-installation.js'

/**
 * The way to the questions over an installation, not yet audited.
 * @param catchUp copies what the audit trail holds by now into the store's activity
 * @param knowledge the projects' documents
 */
export async function openAnswering(
  { store, projects, rubrics, teams, threads, secrets }: Installation,
  config: Config,
  catchUp: () => Promise<void>,
  knowledge: KnowledgeBases,
  admission: Admission,
): Promise<Answering> {
  const cursors = new CursorSeal(await secrets.get('cursors'))
  return createAnswering({
    store,
    feedback: store.events.feedback,
    catchUp,
    project: projectId => projects.find(projectId),
    catalogs: remembered(rubrics),
    scoring: async project => scoringOf(await runRubricOf(rubrics, project), project.verticals),
    teams,
    knowledge: projectId => knowledge.of(projectId),
    cursors: caller => cursors.of(caller),
    light: admission.lightQuestions,
    heavy: admission.heavyQuestions,
    budgets: admission.budgets,
    pipelineReading: admission.pipelineReading,
    threads,
    deadlineMs: config.queryTimeout,
    clock: Date.now,
  })
}

/** The catalogs of a project, made once for as long as it and its rubric stay as they are: every question asks for them. */
function remembered(rubrics: Installation['rubrics']): (project: ProjectRecord) => Promise<Catalogs> {
  const known = new WeakMap<ProjectRecord, { readonly base: Catalogs; readonly catalogs: Catalogs }>()
  return async project => {
    const base = await rubrics.catalogs(project.project_id, project.verticals)
    const last = known.get(project)
    if (last?.base === base) return last.catalogs
    const catalogs = projectCatalogs(project, base)
    known.set(project, { base, catalogs })
    return catalogs
  }
}
