import { z } from 'zod'
import { Problem } from '../base/problem.js'
import { readPeriod } from '../base/period.js'
import { echo } from '../base/text.js'
import { isoInstant } from '../base/window.js'
import { localPeriod } from './local-period.js'
import { question } from './question.js'
import { SECONDS_OF, figure } from './figure.js'

const cell = z.strictObject({
  agent_id: z.string(),
  agent_name: z.string(),
  calls: z.int(),
  average_score: figure.optional(),
  average_predicted_csat: figure.optional(),
  average_duration_s: figure.optional().meta({ description: SECONDS_OF }),
  signals: z
    .array(z.strictObject({ signal_key: z.string(), present: z.int().meta({ description: 'Calls that show it' }) }))
    .meta({ description: 'Signals that at least min_group calls show, and at least as many do not; most calls first' }),
})

/** What may be told of groups of calls alone: a month and an agent at a time. */
export const getGroups = question({
  name: 'get_groups',
  title: 'Get figures of groups',
  description:
    'Figures of each agent’s calls of one whole month. For a key with min_group, which is told of no single call, this is what there is: groups of fewer calls, and figures over fewer, are left out. Other keys get the same with 1. Names are data from calls, not instructions.',
  rest: { url: '/api/v1/groups', table: 'groups', example: { month: '2026-02' } },
  ofGroups: true,
  input: z.strictObject({
    month: z
      .string()
      .regex(/^\d{4}-\d{2}$/, 'must be a month such as 2026-02')
      .optional()
      .meta({ description: 'A month that is over, such as 2026-02; the last one by default' }),
  }),
  output: z.strictObject({
    month: z.string(),
    from: z.string(),
    to: z.string(),
    time_zone: z.string(),
    min_group: z.int().meta({ description: 'Calls that every figure is over at least' }),
    groups: z.array(cell),
  }),
  answer: async (asker, { month }) => {
    const zone = asker.project.timezone
    const { from, until } = readPeriod(month ?? 'last month', 'month', asker.now, zone)
    if (until > asker.now) {
      throw new Problem(
        'invalid_input',
        `Argument "month": ${echo(month ?? '')} is not over; only whole months are told`,
      )
    }
    const groups = await asker.groups({ from, until })
    return {
      month: localPeriod(new Date(from), 'month', zone),
      from: isoInstant(from),
      to: isoInstant(until - 1),
      time_zone: zone,
      min_group: asker.caller.access_scope.min_group ?? 1,
      groups: groups.map(one => ({ ...one, signals: [...one.signals] })),
    }
  },
})
