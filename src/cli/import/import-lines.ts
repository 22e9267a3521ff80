import { NO_TIME_LEFT } from '../../evaluation/run/evaluate-incoming.js'
import { type MaskCounts, maskKinds } from '../../redact/mask.js'
import { faultsIn, faultText, type Reject } from '../../ingest/piece.js'
import { table } from '../print.js'
import type { FileReport, ImportEvaluation, ImportReport } from '../../ingest/import-report.js'

/** What became of an import, for a reader. `rejectsFile` is where all rejects went, if anywhere. */
export function importLines(report: ImportReport, projectId: string, rejectsFile: string | undefined): string {
  const lines = [
    ...(report.dry_run === true ? [`A dry run, nothing was written. What would be:`, ''] : []),
    `${report.stored} of ${report.received} calls stored in project ${projectId} ` +
      `(${report.replaced} replaced, ${report.duplicates} ${report.duplicates === 1 ? 'duplicate' : 'duplicates'}, ${report.rejected} rejected).`,
  ]
  if (report.received === 0 && report.skipped_files === 0) lines.push('There was nothing to read.')
  if (report.characters_removed > 0) lines.push(`${report.characters_removed} invisible characters were removed.`)
  if (report.redacted !== undefined) lines.push(maskedLine(report.redacted))
  if (report.evaluation !== undefined) lines.push(...evaluationLines(report.evaluation, projectId))
  for (const { warning, calls } of report.warnings ?? [])
    lines.push(`Warning: ${calls} ${calls === 1 ? 'call' : 'calls'} ${warning}.`)
  if (report.skipped_files > 0) lines.push(`Passed over, of no known format: ${report.skipped_files}.`)
  if (report.by_file !== undefined && report.by_file.length > 0) lines.push('', filesTable(report.by_file))
  if (report.errors.length > 0) lines.push('', 'Rejected:')
  lines.push(...rejectLines(report.errors))
  const more = report.rejected - report.errors.length
  if (more > 0) lines.push(`  and ${more} more${rejectsFile === undefined ? '; --rejects FILE keeps them all' : ''}`)
  if (rejectsFile !== undefined && report.rejected > 0) lines.push(`All of them are in ${rejectsFile}.`)
  // Records that were written for something else lack what others have under another name.
  if (report.stored === 0 && report.errors.some(({ message }) => message === 'is missing'))
    lines.push('"earshot import --explain FILE" says which of its fields could be mapped to what is missing.')
  return `${lines.join('\n')}\n`
}

/** Lines told of a file whose records have the same faults; of further ones it is said how many there are. */
const MOST_ALIKE = 3

function rejectLines(errors: readonly Reject[]): readonly string[] {
  const alike = new Map<string, Reject[]>()
  for (const error of errors) {
    const key = JSON.stringify([error.file, faultsText(error)])
    alike.set(key, [...(alike.get(key) ?? []), error])
  }
  return [...alike.values()].flatMap(rejects => {
    const more = rejects.length - MOST_ALIKE
    const shown = rejects.slice(0, MOST_ALIKE).map(reject => `  ${reject.file}:${reject.line}  ${faultsText(reject)}`)
    return more > 0 ? [...shown, `    and ${more} more like these, to line ${rejects.at(-1)?.line}`] : shown
  })
}

/** Of faults that every turn has, those of the first. */
function faultsText(reject: Reject): string {
  const texts = new Map<string, string>()
  for (const text of faultsIn(reject).map(faultText)) {
    const anyPlace = text.replaceAll(/\[\d+\]/g, '[]')
    if (!texts.has(anyPlace)) texts.set(anyPlace, text)
  }
  return [...texts.values()].join('; ')
}

/** Most files that the table lists. */
const MOST_FILES = 200

function filesTable(files: readonly FileReport[]): string {
  const rows = files
    .slice(0, MOST_FILES)
    .map(({ file, format = '', stored, replaced, duplicates, rejected }) => [
      file,
      format,
      ...[stored, replaced, duplicates, rejected].map(String),
    ])
  const more = files.length - rows.length
  const rest = more > 0 ? `\nand ${more} more; --json lists all` : ''
  return `${table(['File', 'Format', 'Stored', 'Replaced', 'Duplicates', 'Rejected'], rows).trimEnd()}${rest}`
}

function evaluationLines({ evaluated, reasons }: ImportEvaluation, projectId: string): readonly string[] {
  const why = reasons.map(({ reason, calls }) => {
    const how = reason === NO_TIME_LEFT ? ` "earshot evaluate --project ${projectId}" evaluates what has none yet.` : ''
    return `${calls} not evaluated: ${reason}.${how}`
  })
  return evaluated === 0 ? why : [`${evaluated} evaluated by rules.`, ...why]
}

function maskedLine(counts: MaskCounts): string {
  const masked = maskKinds.filter(kind => counts[kind] > 0).map(kind => `${counts[kind]} [${kind}]`)
  return `Masked: ${masked.length === 0 ? 'nothing was found to mask' : masked.join(', ')}.`
}
