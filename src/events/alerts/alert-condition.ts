import { z } from 'zod'
import { printable } from '../../base/printable.js'

/** What an alert waits for. */
export const alertCondition = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('signal_present').meta({ description: 'A call in which a signal is present' }),
    signal_key: printable(200),
  }),
  z.strictObject({
    kind: z.literal('score_below').meta({ description: 'A call with a score below a number' }),
    measure: z.enum(['score', 'predicted_csat']).default('score'),
    threshold: z.number().min(1).max(5),
  }),
  z.strictObject({
    kind: z.literal('change_found').meta({ description: 'A change that detect_changes finds' }),
    period: printable(64)
      .default('last 7 days')
      .meta({ description: 'As detect_changes takes it; compared with the same length of time just before' }),
    category: z.enum(['signals', 'scores', 'agents', 'drivers', 'dimensions', 'guidance']).optional(),
    key: printable(300).optional().meta({ description: 'Only this signal, score, driver …' }),
    direction: z.enum(['up', 'down', 'new', 'gone']).optional(),
    significance: z
      .enum(['high', 'medium', 'low'])
      .default('high')
      .meta({ description: 'The least that counts: high q < 0.01, medium q < 0.05, low q < 0.10' }),
  }),
])
export type AlertCondition = z.output<typeof alertCondition>
