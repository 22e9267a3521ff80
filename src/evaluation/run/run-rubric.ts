import type { ProjectRecord } from '../../store/records/project.js'
import { evaluationVersion } from '../rubric/evaluation-version.js'
import { withVerticals } from '../rubric/signal-catalogs.js'
import type { Rubrics } from '../rubrics.js'
import type { RunRubric } from './evaluate-batch.js'

const known = new WeakMap<object, WeakMap<object, RunRubric>>()

/**
 * What a project's calls are read by: its rubric and its lines of business. The same object for as long as neither
 * changes, so that whoever keeps what it made of one makes it once.
 * @throws Problem `conflict` when the rubric was set under another version of this program and can't be read any more
 */
export async function runRubricOf(
  rubrics: Pick<Rubrics, 'of'>,
  project: Pick<ProjectRecord, 'project_id' | 'verticals'>,
): Promise<RunRubric> {
  const { rubric, others, version: name } = await rubrics.of(project.project_id)
  const version = evaluationVersion(name, rubric, project.verticals)
  const byVerticals = known.get(rubric) ?? new WeakMap<object, RunRubric>()
  known.set(rubric, byVerticals)
  const found = byVerticals.get(project.verticals)
  if (found?.version === version) return found
  const made = {
    rubric: withVerticals(rubric, project.verticals),
    ...(others !== undefined && { others }),
    version,
    verticals: project.verticals,
  }
  byVerticals.set(project.verticals, made)
  return made
}
