import type { EvaluationSetting } from '../store/records/project.js'

/** What evaluates a project's calls when nobody says: what it is set to, and rules where evaluations come with the calls. */
export function usualEvaluator({ evaluation }: { readonly evaluation?: EvaluationSetting }): 'rules' | 'model' {
  return evaluation === 'model' ? 'model' : 'rules'
}
