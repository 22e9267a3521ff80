import { modelLines } from './model-lines.js'
import type { EvaluationReport } from '../../evaluation/run/evaluation-report.js'
import { liftLines } from './lift-lines.js'

/** What an evaluation came to, for a reader. */
export function evaluationLines(report: EvaluationReport, projectId: string, which: string): string {
  const { chosen, evaluated, elapsed_ms: ms, compared, reasons } = report
  if (chosen === 0) {
    const hint = which === 'pending' ? ' Evaluate calls again with --all.' : ''
    return `There is no call to evaluate in project ${projectId}.${hint}\n${liftLines(report.lift)}`
  }
  const seconds = ms / 1000
  const speed = seconds > 0 ? `, ${Math.round(evaluated / seconds)} calls/s` : ''
  const lines = [
    `${evaluated} of ${chosen} calls of project ${projectId} evaluated by ${report.evaluator} ` +
      `(rubric ${report.rubric}, ${report.rubric_version}) in ${seconds.toFixed(1)} s${speed}.`,
  ]
  if (reasons.length > 0) lines.push('', `Not evaluated: ${report.not_evaluated}`)
  for (const { reason, calls } of reasons) lines.push(`  ${calls}  ${reason}`)
  lines.push(...modelLines(report.model))
  if (report.changed_meanwhile > 0) {
    lines.push(`${report.changed_meanwhile} calls changed meanwhile: the same command evaluates them.`)
  }
  if (compared > 0) {
    lines.push(
      '',
      `Scores of ${compared} calls before and now: ${report.higher} higher, ${report.lower} lower, ${report.same} the same;`,
      `average ${report.average_old ?? ''} before, ${report.average_new ?? ''} now.`,
    )
  }
  return `${lines.join('\n')}\n${liftLines(report.lift)}`
}
