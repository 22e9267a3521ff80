import { Problem } from '../../base/problem.js'
import type { ProjectRecord } from '../../store/records/project.js'
import type { Rubrics } from '../rubrics.js'
import type { RunRubric } from './evaluate-batch.js'
import { runRubricOf } from './run-rubric.js'

/**
 * What an import into a project evaluates calls by. Undefined where the project's setting leaves them as they come
 * (imported), or to a later run (model, which no import waits for); and where its rubric can't be read.
 */
export async function importRubric(
  rubrics: Pick<Rubrics, 'of'>,
  project: ProjectRecord,
): Promise<RunRubric | undefined> {
  return (project.evaluation ?? 'rules') === 'rules' ? await readableRubric(rubrics, project) : undefined
}

/**
 * What rules evaluate a project's calls by. Undefined where its rubric can't be read any more, which must not keep calls
 * out: they wait, and evaluating says what is wrong.
 */
export async function readableRubric(
  rubrics: Pick<Rubrics, 'of'>,
  project: ProjectRecord,
): Promise<RunRubric | undefined> {
  try {
    return await runRubricOf(rubrics, project)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}
