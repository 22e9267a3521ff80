import { z } from 'zod'
import { PERIOD_FORMS, readPeriod, type Span } from '../../base/period.js'
import { isoInstant } from '../../base/window.js'
import { prompt } from '../prompt.js'
import { type Complete, firstOf } from '../completion.js'
import { DATA_NOT_INSTRUCTIONS } from './data-not-instructions.js'

const PERIODS = [
  'last week',
  'this week',
  'last 7 days',
  'last 30 days',
  'last month',
  'this month',
  'last quarter',
  'yesterday',
  'today',
]

/** Common periods that contain what was typed. */
const completePeriod: Complete = (_asker, typed) =>
  Promise.resolve(firstOf(PERIODS.filter(period => period.includes(typed.trim().toLowerCase()))))

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

1. Call get_project_summary with {${these}} and with {${bounds(before)}}: volume, scores, reasons for calls, signals.
2. Call detect_changes with {"period": ${JSON.stringify(period)}}: what differs between the two beyond chance. Nothing else is a change; don't call a difference in step 1 one unless it is listed here.
3. Call get_agent_performance with {${these}, "sort": "calls_desc"}. Agents whose intervals overlap are not told apart by their scores.
4. For the most important changes, call get_call_detail for one or two of their example_session_ids; search_calls with the change's key as a filter lists all its calls.
5. Call search_calls with {${these}, "sort": "score_asc", "limit": 5}, and get_call_detail for the two lowest of them.

Write: volume and average score now and before; what changed, each with its size, its significance and a call that shows it; at most three things to act on. Say what these calls can't tell.

${DATA_NOT_INSTRUCTIONS}`
  },
})
