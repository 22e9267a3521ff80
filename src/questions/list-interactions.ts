import { z } from 'zod'
import { cursor, dateFrom, dateTo, exactName, limit } from './arguments.js'
import { callPage } from './call-page.js'
import { defined } from './defined.js'
import { SECONDS_OF } from './figure.js'
import { namedConditions } from './named-values.js'
import { question } from './question.js'
import { CROSSED, inOrder, scoreBounds, scoreConditions } from './score-range.js'
import { sortOrders } from './search-order.js'
import { whyEmpty, whyEmptySchema } from './why-empty.js'
import { doubtConditions, maxTrust, minTrust } from './trusted.js'
import { resolveWindow, windowSchema } from './window.js'

const share = (what: string) =>
  z
    .number()
    .min(0)
    .max(1)
    .meta({ description: `${what}, 0–1; calls that say nothing of it are left out` })

const input = z
  .strictObject({
    start_date: dateFrom,
    end_date: dateTo,
    agent_id: exactName('Calls of this agent only, by agent_id').optional(),
    ...scoreBounds,
    min_trust: minTrust,
    max_trust: maxTrust,
    signal_key: exactName('Calls in which this signal is present, such as sig.escalation').optional(),
    min_confidence: share('Only where it is as likely as this that a person says the same of the signal').optional(),
    min_strength: share('Only where there is as much of the signal as this').optional(),
    sort: z.enum(sortOrders).default('date_desc').meta({ description: 'Order; calls without the value come last' }),
    limit: limit(50, 500),
    cursor,
  })
  .refine(inOrder, CROSSED)
  .refine(
    ({ signal_key, min_confidence, min_strength }) =>
      signal_key !== undefined || (min_confidence ?? min_strength) === undefined,
    {
      error: 'must be there for "min_confidence" and "min_strength" to be of',
      path: ['signal_key'],
    },
  )

const optionalText = z.string().optional()
const optionalNumber = z.number().optional()

/** What of a call a list shows, as the store gives it and as the answer does: the same but for dates. */
const listed = {
  agent_id: optionalText,
  agent_name: z.string(),
  title: optionalText,
  interaction_driver: optionalText,
  interaction_direction: optionalText,
  score: optionalNumber,
  predicted_csat: optionalNumber,
  duration_s: optionalNumber.meta({ description: SECONDS_OF }),
  lift_band: optionalText,
  signal_count: z.int().default(0).meta({ description: 'Signals present' }),
}

const row = z.object({ ...listed, _id: z.string(), created_dt: z.date(), lift: optionalNumber })

const output = z.strictObject({
  window: windowSchema,
  interactions: z
    .array(z.strictObject({ session_id: z.string(), created_dt: z.string(), ...listed }))
    .meta({ description: 'Titles, names and drivers are data from calls' }),
  total: z.int().meta({ description: 'Calls that match, on all pages' }),
  why_empty: whyEmptySchema.optional(),
  next_cursor: z
    .string()
    .optional()
    .meta({ description: 'There are more: ask again with this cursor and the same parameters' }),
})

const PROJECTION = {
  agent_id: 1,
  agent_name: 1,
  created_dt: 1,
  title: 1,
  interaction_driver: 1,
  interaction_direction: 1,
  score: 1,
  predicted_csat: 1,
  duration_s: 1,
  lift: '$outcome_lift.lift',
  lift_band: '$outcome_lift.lift_band',
  signal_count: 1,
}

/** The condition for a signal that is surely there, or much. */
function sureConditions(args: z.output<typeof input>): readonly object[] {
  const { signal_key: key, min_confidence: confidence, min_strength: strength } = args
  if (key === undefined || (confidence ?? strength) === undefined) return []
  const least = {
    ...(confidence !== undefined && { confidence: { $gte: confidence } }),
    ...(strength !== undefined && { strength: { $gte: strength } }),
  }
  return [{ signals: { $elemMatch: { key: { $eq: key }, state: { $eq: 'present' }, ...least } } }]
}

/** Lists calls for programs: more fields and longer pages than search_calls, fewer filters. */
export const listInteractions = question({
  name: 'list_interactions',
  title: 'List interactions',
  description: 'The calls that match all the given filters, newest first unless sort says otherwise, page by page.',
  rest: {
    url: '/api/v1/interactions',
    table: 'interactions',
    example: { max_score: 2, sort: 'score_asc', limit: 10 },
  },
  input,
  output,
  answer: async (asker, args) => {
    const given = { date_from: args.start_date, date_to: args.end_date, min_trust: args.min_trust }
    const window = await resolveWindow(asker, given, ['start_date', 'end_date'])
    const named = { agent_id: args.agent_id, signal_key: args.signal_key }
    const matching = [
      window.filter,
      ...namedConditions(named),
      ...scoreConditions(args),
      ...sureConditions(args),
      ...doubtConditions(args.max_trust),
    ]
    const page = await callPage(asker, { question: 'list_interactions', args, matching, projection: PROJECTION, row })
    return defined({
      window: window.echo,
      interactions: page.rows.map(one => {
        // The lift was read for its order alone.
        const { _id: session_id, created_dt, lift: _, ...rest } = one
        return defined({ session_id, created_dt: created_dt.toISOString(), ...rest })
      }),
      total: page.total,
      why_empty: page.total === 0 ? await whyEmpty(asker, window, named) : undefined,
      next_cursor: page.next,
    })
  },
})
