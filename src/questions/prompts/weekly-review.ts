import { z } from 'zod'
import { PERIOD_FORMS, readPeriod, type Span } from '../../base/period.js'
import { isoInstant } from '../../base/window.js'
import { completePeriod } from '../completions/complete-period.js'
import { prompt } from '../prompt.js'
import { DATA_NOT_INSTRUCTIONS } from './data-not-instructions.js'

/** The arguments that narrow search_calls to a span; its upper bound is included. */
function bounds({ from, until }: Span): string {
  return `"date_from": ${JSON.stringify(isoInstant(from))}, "date_to": ${JSON.stringify(isoInstant(until - 1))}`
}

/** Reviews a period against the one before it. */
export const weeklyReview = prompt({
  name: 'weekly_review',
  title: 'Weekly review',
  description: 'Reviews a week, or any other period, against the one before: volume, scores, reasons, what to act on.',
  input: z.strictObject({
    period: z
      .string()
      .min(1)
      .max(64)
      .default('last week')
      .meta({ description: `Period to review (default: last week): ${PERIOD_FORMS}` }),
  }),
  complete: { period: completePeriod },
  write: ({ now, project }, { period }) => {
    // Resolved here, in the project's calendar, so that every tool is asked about the same instants.
    const { from, until, before } = readPeriod(period, 'period', now, project.timezone)
    const these = bounds({ from, until })
    return `Review the calls of the period ${JSON.stringify(period)}, in the time zone ${JSON.stringify(project.timezone)}, against the period before it.

1. Call get_project_context for the agents, the reasons for calls and the signals there are.
2. Call search_calls with {${these}, "limit": 1} and with {${bounds(before)}, "limit": 1}; their total is the volume of each.
3. Call search_calls with {${these}, "sort": "score_asc", "limit": 20} and with {${these}, "sort": "lift_desc", "limit": 10}.
4. Call get_call_detail for the three lowest and the two best of them, by their session_id.

Write: volume now and before; what the low calls have in common and what the good ones do differently, each with session_ids; at most three things to act on. Say what these few calls can't tell.

${DATA_NOT_INSTRUCTIONS}`
  },
})
