import { z } from 'zod'
import type { Immutable } from '../../base/immutable.js'
import { PREDICTED_CSAT } from '../../calls/outcome-field.js'
import { type Masking, maskKinds } from '../../redact/mask.js'
import { record, shown } from './record.js'

/** How calls get an evaluation that come in without one. */
export const evaluationSettings = ['imported', 'rules', 'model'] as const
export type EvaluationSetting = (typeof evaluationSettings)[number]

/** Whether figures are of calls whose evaluation can hardly be relied on, too. */
export const doubtfulSettings = ['counted', 'left_out'] as const

/** A project: the wall around a set of calls. */
export const project = record({
  project_id: shown(z.string()),
  name: shown(z.string()),
  timezone: shown(z.string().meta({ description: 'IANA name; days, weeks and months are cut in it' })),
  verticals: shown(z.array(z.string()).meta({ description: 'Narrow the catalogs; empty means all' })),
  redact: shown(
    z.boolean().exactOptional().meta({ description: 'Personal data is masked in all calls and feedback that come in' }),
  ),
  redact_kinds: shown(
    z
      .array(z.enum(maskKinds))
      .exactOptional()
      .meta({ description: 'Kinds of personal data that are masked where redact is on; cvv goes with card' }),
  ),
  evaluation: shown(
    z.enum(evaluationSettings).exactOptional().meta({
      description:
        'How calls that come in without an evaluation get one: rules as they come in, model in a later run, imported: they get none',
    }),
  ),
  outcome: shown(
    z.string().exactOptional().meta({
      description:
        'What outcome lift explains: predicted_csat, or a field of session_metadata with what counts as positive, such as metadata.survey>=4',
    }),
  ),
  doubtful: shown(
    z.enum(doubtfulSettings).exactOptional().meta({
      description:
        'Calls whose evaluation is of low trust: counted in figures, or left_out of them where a question does not ask for them',
    }),
  ),
  created_at: shown(z.string()),
})
export type ProjectRecord = Immutable<z.output<typeof project.stored>>

const { project_id: id, redact, redact_kinds, evaluation, outcome, doubtful, created_at, ...named } = project.view.shape

/** What is masked of what comes into a project. */
export function maskingOf({ redact: on = false, redact_kinds: kinds }: ProjectRecord): Masking {
  return on && (kinds ?? true)
}

/** A project as reads answer with it: its id under both names, settings that were never made with what they mean. */
export const projectView = z.strictObject({
  project_id: id,
  id: z.string().meta({ description: 'The same as project_id' }),
  ...named,
  redact: z.boolean().meta({ description: redact.description }),
  redact_kinds: z.array(z.enum(maskKinds)).meta({ description: redact_kinds.description }),
  evaluation: z.enum(evaluationSettings).meta({ description: evaluation.description }),
  outcome: z.string().meta({ description: outcome.description }),
  doubtful: z.enum(doubtfulSettings).meta({ description: doubtful.description }),
  created_at,
})
export type ProjectView = Immutable<z.output<typeof projectView>>

export function projectViewOf(kept: ProjectRecord): ProjectView {
  const { project_id, created_at: created, ...rest } = project.show(kept)
  const settings = {
    redact: kept.redact ?? false,
    redact_kinds: kept.redact_kinds ?? maskKinds,
    evaluation: kept.evaluation ?? 'rules',
    outcome: kept.outcome ?? PREDICTED_CSAT,
    doubtful: kept.doubtful ?? 'counted',
  }
  return { project_id, id: project_id, ...rest, ...settings, created_at: created }
}
