import { z } from 'zod'
import { liftReport } from '../lift/lift-report.js'

const count = z.int().min(0)

/** How far a run has come. */
export const evaluationProgress = z.strictObject({
  done: count.meta({ description: 'Calls read so far' }),
  total: count.meta({ description: 'Calls there were to read when it began' }),
})
export type EvaluationProgress = z.output<typeof evaluationProgress>

/** What a run asked of a language model. */
export const modelUsage = z.strictObject({
  name: z.string().meta({ description: 'Name of the model' }),
  requests: count.meta({ description: 'Answers asked for; attempts after a failure are not counted' }),
  cached: count.meta({ description: 'Calls whose answer was kept from before, and cost nothing' }),
  input_tokens: count,
  prompt_cache_tokens: count
    .optional()
    .meta({ description: 'Of these, the ones the endpoint had in its prompt cache; absent for none' }),
  output_tokens: count,
  cost: z.number().min(0).optional().meta({ description: 'In the currency of the configured prices' }),
  unquoted: count.meta({ description: 'Signals that are unclear because no quote of theirs is in the transcript' }),
  failed: count.meta({ description: 'Calls for which it brought no evaluation' }),
  flagged: count.meta({ description: 'Calls in which a turn tries to instruct the evaluation' }),
  stopped: z
    .strictObject({
      reason: z.string(),
      failed: z.boolean().meta({ description: 'Whether something has to be mended before the rest can be evaluated' }),
    })
    .optional()
    .meta({ description: 'Why the run ended before all calls were read' }),
})
export type ModelUsage = z.output<typeof modelUsage>

/** What a run came to. */
export const evaluationReport = z.strictObject({
  evaluator: z.enum(['rules', 'model']),
  rubric: z.string(),
  rubric_version: z.string(),
  chosen: count.meta({ description: 'Calls there were to evaluate' }),
  evaluated: count.meta({ description: 'Calls that have a new evaluation' }),
  not_evaluated: count.meta({ description: 'Calls that have none' }),
  reasons: z
    .array(z.strictObject({ reason: z.string(), calls: count }))
    .meta({ description: 'Why calls have none, commonest first' }),
  changed_meanwhile: count.meta({ description: 'Replaced or erased while they were read: evaluated by the next run' }),
  compared: count.meta({ description: 'Calls with a score both before and now' }),
  higher: count,
  lower: count,
  same: count,
  average_old: z.number().optional().meta({ description: 'Of the compared ones' }),
  average_new: z.number().optional(),
  model: modelUsage.optional(),
  elapsed_ms: z.int().min(0),
  lift: z.array(liftReport).optional().meta({ description: 'What fitting outcome lift came to, where that followed' }),
})
export type EvaluationReport = z.output<typeof evaluationReport>

/** Reasons that are kept apart. */
const MOST_REASONS = 20

/** Gathers what a run comes to. */
export class EvaluationCounts {
  chosen = 0
  evaluated = 0
  changedMeanwhile = 0
  readonly #reasons = new Map<string, number>()
  #compared = 0
  #higher = 0
  #lower = 0
  #old = 0
  #new = 0

  /** A call without an evaluation. */
  none(reason: string): void {
    const key = this.#reasons.has(reason) || this.#reasons.size < MOST_REASONS ? reason : 'Other reasons'
    this.#reasons.set(key, (this.#reasons.get(key) ?? 0) + 1)
  }

  /** Calls without one are counted anew by a second look at what is left. */
  lookAgain(): void {
    this.#reasons.clear()
    this.changedMeanwhile = 0
  }

  /** Whether all that was chosen is dealt with. */
  get complete(): boolean {
    return this.evaluated + this.#none() >= this.chosen
  }

  compare(old: number | undefined, now: number | undefined): void {
    if (old === undefined || now === undefined) return
    this.#compared += 1
    if (now > old) this.#higher += 1
    if (now < old) this.#lower += 1
    this.#old += old
    this.#new += now
  }

  #none(): number {
    return [...this.#reasons.values()].reduce((sum, calls) => sum + calls, 0)
  }

  report(
    about: Pick<EvaluationReport, 'evaluator' | 'rubric' | 'rubric_version' | 'model' | 'elapsed_ms'>,
  ): EvaluationReport {
    const compared = this.#compared
    const mean = (sum: number) => Math.round((sum / compared) * 100) / 100
    const { elapsed_ms, model, ...by } = about
    return {
      ...by,
      chosen: this.chosen,
      evaluated: this.evaluated,
      not_evaluated: this.#none(),
      reasons: [...this.#reasons].map(([reason, calls]) => ({ reason, calls })).toSorted((a, b) => b.calls - a.calls),
      changed_meanwhile: this.changedMeanwhile,
      compared,
      higher: this.#higher,
      lower: this.#lower,
      same: compared - this.#higher - this.#lower,
      ...(compared > 0 && { average_old: mean(this.#old), average_new: mean(this.#new) }),
      ...(model !== undefined && { model }),
      elapsed_ms,
    }
  }
}
