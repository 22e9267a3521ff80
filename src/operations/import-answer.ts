import { z } from 'zod'
import { Problem } from '../base/problem.js'
import type { ImportReport } from '../ingest/import-report.js'
import { faultsIn } from '../ingest/piece.js'
import { type MaskKind, maskKinds } from '../redact/mask.js'

const count = z.int().min(0)

/** Places where personal data was masked, by kind. */
export const maskCounts = z.strictObject(
  Object.fromEntries(maskKinds.map(kind => [kind, count])) as Readonly<Record<MaskKind, typeof count>>,
)

const fault = {
  path: z.string().meta({ description: 'Place in the record, such as transcript[3].text; empty: all of it' }),
  message: z.string(),
}

/** What became of an import. */
export const importAnswer = z.strictObject({
  dry_run: z.literal(true).optional().meta({ description: 'Nothing was written: what would be' }),
  received: count.meta({ description: 'Records met: stored + duplicates + rejected' }),
  stored: count.meta({ description: 'Calls of this import that are now in the project, durably' }),
  duplicates: count.meta({ description: 'Records whose id came again later in this import' }),
  rejected: count,
  replaced: count.optional().meta({ description: 'Of a dry run: stored calls that would replace one' }),
  errors: z
    .array(
      z.strictObject({
        line: z.int().meta({ description: 'Line of the body, from 1' }),
        ...fault,
        also: z.array(z.strictObject(fault)).optional().meta({ description: 'What else is wrong with the record' }),
      }),
    )
    .meta({ description: 'The first 100 rejected records; no values are quoted' }),
  future_calls: count.optional().meta({ description: 'Stored calls that are dated after now, where there are any' }),
  warnings: z
    .array(z.strictObject({ warning: z.string(), calls: count }))
    .optional()
    .meta({ description: 'What is to be known of calls that were stored all the same' }),
  characters_removed: count.optional().meta({
    description: 'Control, bidi-override and invisible tag characters taken out of free text, where there were any',
  }),
  redacted: maskCounts
    .optional()
    .meta({ description: 'Places masked, by kind, in a project that masks personal data' }),
  evaluation: z
    .strictObject({
      evaluated: count,
      not_evaluated: count,
      reasons: z.array(z.strictObject({ reason: z.string(), calls: count })).meta({ description: 'Commonest first' }),
    })
    .optional()
    .meta({ description: 'Records that brought no evaluation, in a project that evaluates them as they come in' }),
})

/** Most faults that a refusal lists. */
const MOST_DETAILS = 20

/** @throws Problem `invalid_input` when there were records and not one of them could be taken */
export function importAnswerOf(report: ImportReport): z.output<typeof importAnswer> {
  const { received, stored, duplicates, rejected, characters_removed: removed, redacted, evaluation } = report
  const { future_calls, warnings } = report
  if (received > 0 && rejected === received && report.dry_run !== true) throw nothingTaken(report)
  const errors = report.errors.map(({ line, path, message, also }) => {
    return { line, path, message, ...(also && { also: [...also] }) }
  })
  return {
    ...(report.dry_run && { dry_run: report.dry_run, replaced: report.replaced }),
    received,
    stored,
    duplicates,
    rejected,
    errors,
    ...(future_calls !== undefined && { future_calls }),
    ...(warnings !== undefined && { warnings: [...warnings] }),
    ...(removed === 0 ? {} : { characters_removed: removed }),
    ...(redacted === undefined ? {} : { redacted }),
    ...(evaluation === undefined ? {} : { evaluation: { ...evaluation, reasons: [...evaluation.reasons] } }),
  }
}

function nothingTaken({ received, errors }: ImportReport): Problem {
  const faults = errors.flatMap(error => faultsIn(error).map(one => ({ line: error.line, ...one })))
  const details = faults.slice(0, MOST_DETAILS).map(({ line, path, message }) => ({
    path: path === '' ? `line ${line}` : `line ${line}: ${path}`,
    message,
  }))
  const records = received === 1 ? 'The record' : `None of the ${received} records`
  const [first] = details
  const fault = first === undefined ? '' : `: ${first.path} ${first.message}`
  return new Problem('invalid_input', `${records} could${received === 1 ? ' not' : ''} be taken${fault}`, { details })
}
