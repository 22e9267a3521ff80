import type { LiftReport } from '../../evaluation/lift/lift-report.js'

/** What fitting outcome lift came to, for a reader; nothing where there is no evaluated call. */
export function liftLines(reports: readonly LiftReport[] = []): string {
  return reports
    .filter(({ calls, changed }) => calls + changed > 0)
    .map(({ evaluator, outcome, calls, positive, lifts, changed, none }) => {
      const by = `Outcome lift, calls evaluated by ${evaluator}: `
      if (none !== undefined) return `${by}none. ${none}.\n`
      return `${by}${lifts} calls (${positive} of ${calls} with a positive outcome by ${outcome}), ${changed} changed.\n`
    })
    .join('')
}
