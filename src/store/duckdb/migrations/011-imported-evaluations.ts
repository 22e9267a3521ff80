import type { Migration } from './migration.js'

/** Calls that brought readings and did not say whose: they are imported evaluations, as import has said since. */
export const importedEvaluations: Migration = {
  version: 11,
  name: 'imported evaluations',
  statements: [
    `update calls set evaluation = {'evaluator': 'imported', 'rubric': null, 'rubric_version': null, 'evaluated_at': null}
     where evaluation is null and (score is not null or predicted_csat is not null
       or len(scores) > 0 or len(dimensions) > 0 or len(signals) > 0 or len(guidance) > 0)`,
  ],
}
