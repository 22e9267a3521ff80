import { z } from 'zod'
import { printable } from '../../base/printable.js'

/** What an alert waits for. */
export const alertCondition = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('signal_present').meta({ description: 'A call in which a signal is present' }),
    signal_key: printable(200).meta({ description: 'A call in which this signal is present, such as sig.escalation' }),
  }),
  z.strictObject({
    kind: z.literal('score_below').meta({ description: 'A call with a score below a number' }),
    threshold: z.number().min(1).max(5).meta({ description: 'A call with a score below this, 1 to 5' }),
    measure: z.enum(['score', 'predicted_csat']).default('score').meta({ description: 'Which score is meant' }),
  }),
  z.strictObject({
    kind: z.literal('change_found').meta({ description: 'A change that detect_changes finds' }),
    period: printable(64)
      .meta({
        description: 'A change in this period, as detect_changes takes it, from the same length of time just before',
      })
      .default('last 7 days'),
    category: z
      .enum(['signals', 'scores', 'agents', 'drivers', 'dimensions', 'guidance'])
      .optional()
      .meta({ description: 'Only changes of this kind' }),
    key: printable(300).optional().meta({ description: 'Only this signal, score, driver …' }),
    direction: z.enum(['up', 'down', 'new', 'gone']).optional().meta({ description: 'Only changes this way' }),
    significance: z
      .enum(['high', 'medium', 'low'])
      .default('high')
      .meta({ description: 'The least that counts: high q < 0.01, medium q < 0.05, low q < 0.10' }),
  }),
])
export type AlertCondition = z.output<typeof alertCondition>
