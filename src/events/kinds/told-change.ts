import { z } from 'zod'

/** A change as detect_changes finds it, in what of it may be told. */
export const toldChange = z.strictObject({
  category: z.string(),
  key: z.string(),
  direction: z.string(),
  value: z.number(),
  baseline_value: z.number(),
  q_value: z.number(),
  significance: z.string(),
})

/** The same in a report, which also says whose calls carry it. */
export const reportedChange = toldChange.extend({ carried_by: z.string().optional() })
