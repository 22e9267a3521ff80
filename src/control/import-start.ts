import { z } from 'zod'
import { rubric } from '../evaluation/rubric/rubric.js'
import type { RunRubric } from '../evaluation/run/evaluate-batch.js'
import { type EvaluationSetting, evaluationSettings } from '../store/records.js'

const answer = z.object({
  agents: z.array(z.tuple([z.string(), z.string()])),
  redact: z.boolean(),
  evaluation: z.enum(evaluationSettings),
  rubric: z.object({ rubric, version: z.string(), verticals: z.array(z.string()) }).optional(),
})

/** What an import has to know of its project, from the answer of the route that tells it. */
export function importStart(answered: object): {
  /** Its agents: ids and names. */
  readonly agents: ReadonlyMap<string, string>
  /** Personal data is masked in all calls that come into it. */
  readonly redact: boolean
  /** How calls get an evaluation that bring none. */
  readonly evaluation: EvaluationSetting
  /** What rules evaluate them by; undefined where the project's rubric can't be read. */
  readonly rubric: RunRubric | undefined
} {
  const { agents, ...settings } = answer.parse(answered)
  return { agents: new Map(agents), ...settings, rubric: settings.rubric }
}
