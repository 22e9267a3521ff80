import { z } from 'zod'
import { closest } from '../base/closest.js'
import { Problem } from '../base/problem.js'
import { echo } from '../base/text.js'
import { runRubricOf } from '../evaluation/run/run-rubric.js'
import { ofOtherVersions } from '../evaluation/lift/lift-report.js'
import { refitLift } from '../evaluation/lift/refit-lift.js'
import { type TaskKind, taskKind } from './task-kind.js'
import { changeReport } from './kinds/change-report.js'
import { evaluatePending } from './kinds/evaluate-pending.js'
import { exportTables } from './kinds/export-tables.js'
import { importBucket } from './kinds/import-bucket.js'
import { importFolder } from './kinds/import-folder.js'
import { knowledgeBaseRefresh } from './kinds/knowledge-base-refresh.js'
import { retention } from './kinds/retention.js'
import { webhookDigest } from './kinds/webhook-digest.js'

/** Fits outcome lift anew to the project's evaluated calls. The same calls give the same lifts, so a repeat changes nothing. */
const liftRefit = taskKind({
  name: 'lift_refit',
  title: 'Fit outcome lift anew: how much better each call went than calls in the same context',
  parameters: z.strictObject({}),
  check: async (_, { services, project }) => {
    // Says what is wrong with a rubric that can't be read any more.
    await services.rubrics.of(project.project_id)
  },
  run: async (_, { services, project, signal }) => {
    const rubric = await runRubricOf(services.rubrics, project)
    const { project_id: projectId, outcome } = project
    const reports = await refitLift({ store: services, projectId, rubric, outcome, signal })
    const summary = reports
      .flatMap(report => {
        const { evaluator, lifts, changed, none } = report
        const found =
          none === undefined
            ? `outcome lift of ${lifts} calls fitted`
            : `no outcome lift${lifts > 0 ? ' fitted' : ''}: ${none}`
        return [`Evaluated by ${evaluator}: ${found}; ${changed} calls changed`, ofOtherVersions(report) ?? []].flat()
      })
      .join('. ')
    return { summary, result: { lift: reports } }
  },
})

/** Every kind of task there is: the list that tasks choose from. A new kind is a file and a line here. */
export const taskKinds: readonly TaskKind[] = [
  changeReport,
  importFolder,
  importBucket,
  retention,
  knowledgeBaseRefresh,
  webhookDigest,
  evaluatePending,
  liftRefit,
  exportTables,
]

/** The kind of that name. @throws Problem `invalid_input` that lists the known ones */
export function knownKind(name: string): TaskKind {
  const kind = taskKinds.find(one => one.name === name)
  if (kind !== undefined) return kind
  const names = taskKinds.map(one => one.name)
  const meant = closest(name, names)
  const hint = meant === undefined ? '' : `, did you mean ${echo(meant)}?`
  throw new Problem('invalid_input', `Unknown task kind ${echo(name)}${hint} (known: ${names.map(echo).join(', ')})`, {
    details: [{ path: 'kind', message: `Must be one of ${names.join(', ')}` }],
  })
}
