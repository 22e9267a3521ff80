import { type MaskCounts, maskKinds } from '../../ingest/redact/mask.js'
import type { ImportEvaluation, ImportReport } from '../../ingest/import-report.js'

/** What became of an import, for a reader. `rejectsFile` is where all rejects went, if anywhere. */
export function importLines(report: ImportReport, projectId: string, rejectsFile: string | undefined): string {
  const lines = [
    `${report.stored} of ${report.received} calls stored in project ${projectId} ` +
      `(${report.replaced} replaced, ${report.duplicates} duplicates, ${report.rejected} rejected).`,
  ]
  if (report.characters_removed > 0) lines.push(`${report.characters_removed} invisible characters were removed.`)
  if (report.redacted !== undefined) lines.push(maskedLine(report.redacted))
  if (report.evaluation !== undefined) lines.push(...evaluationLines(report.evaluation))
  for (const { warning, calls } of report.warnings ?? [])
    lines.push(`Warning: ${calls} ${calls === 1 ? 'call' : 'calls'} ${warning}.`)
  if (report.skipped_files > 0) lines.push(`Passed over, of no known format: ${report.skipped_files}.`)
  if (report.errors.length > 0) lines.push('', 'Rejected:')
  for (const { file, line, path, message } of report.errors) {
    lines.push(`  ${file}:${line}  ${path === '' ? '' : `${path} `}${message}`)
  }
  const more = report.rejected - report.errors.length
  if (more > 0) lines.push(`  and ${more} more${rejectsFile === undefined ? '; --rejects FILE keeps them all' : ''}`)
  if (rejectsFile !== undefined && report.rejected > 0) lines.push(`All of them are in ${rejectsFile}.`)
  return `${lines.join('\n')}\n`
}

function evaluationLines({ evaluated, reasons }: ImportEvaluation): readonly string[] {
  const why = reasons.map(({ reason, calls }) => `${calls} not evaluated: ${reason}.`)
  return evaluated === 0 ? why : [`${evaluated} evaluated by rules.`, ...why]
}

function maskedLine(counts: MaskCounts): string {
  const masked = maskKinds.filter(kind => counts[kind] > 0).map(kind => `${counts[kind]} [${kind}]`)
  return `Masked: ${masked.length === 0 ? 'nothing was found to mask' : masked.join(', ')}.`
}
