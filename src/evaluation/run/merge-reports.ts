import type { EvaluationReport } from './evaluation-report.js'

/** What several parts of a run came to. */
export function mergeReports(
  reports: readonly EvaluationReport[],
): Omit<EvaluationReport, 'evaluator' | 'rubric' | 'rubric_version' | 'model' | 'elapsed_ms' | 'lift' | 'chosen'> {
  const sum = (of: (report: EvaluationReport) => number) => reports.reduce((all, one) => all + of(one), 0)
  const reasons = new Map<string, number>()
  for (const { reason, calls } of reports.flatMap(one => one.reasons)) {
    reasons.set(reason, (reasons.get(reason) ?? 0) + calls)
  }
  const compared = sum(one => one.compared)
  const mean = (of: (report: EvaluationReport) => number | undefined) =>
    Math.round((sum(one => (of(one) ?? 0) * one.compared) / compared) * 100) / 100
  return {
    evaluated: sum(one => one.evaluated),
    not_evaluated: sum(one => one.not_evaluated),
    reasons: [...reasons].map(([reason, calls]) => ({ reason, calls })).toSorted((a, b) => b.calls - a.calls),
    changed_meanwhile: sum(one => one.changed_meanwhile),
    compared,
    higher: sum(one => one.higher),
    lower: sum(one => one.lower),
    same: sum(one => one.same),
    ...(compared > 0 && { average_old: mean(one => one.average_old), average_new: mean(one => one.average_new) }),
  }
}
