import { type LiftReport, ofOtherVersions } from '../../evaluation/lift/lift-report.js'

/** What fitting outcome lift came to, for a reader; nothing where there is no evaluated call. */
export function liftLines(reports: readonly LiftReport[] = []): string {
  return reports
    .filter(({ calls, changed }) => calls + changed > 0)
    .map(report => {
      const { evaluator, outcome, calls, positive, lifts, changed, none } = report
      const by = `Outcome lift, calls evaluated by ${evaluator}: `
      const others = ofOtherVersions(report)
      const found =
        none === undefined
          ? `${lifts} calls (${positive} of ${calls} with a positive outcome by ${outcome}), ${changed} changed.`
          : `none${lifts > 0 ? ' fitted' : ''}. ${none}.`
      return `${by}${found}${others === undefined ? '' : ` ${others}.`}\n`
    })
    .join('')
}
