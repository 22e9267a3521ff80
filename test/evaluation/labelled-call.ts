import { z } from 'zod'

const label = z.enum(['present', 'absent', 'unclear', 'n/a'])

/** The form of a hand-written call with the reason and the state of every signal beside it. */
export function labelledCall(keys: readonly string[], drivers: readonly string[]) {
  return z.strictObject({
    id: z.string().regex(/^[a-z0-9-]+$/),
    title: z.string().min(1),
    language: z.string().regex(/^[a-z]{2}$/),
    turns: z
      .array(
        z.strictObject({
          actor: z.enum(['agent', 'customer', 'system']),
          text: z.string().min(1),
          start_s: z.number().min(0).optional(),
          end_s: z.number().min(0).optional(),
        }),
      )
      .min(2),
    expected: z.strictObject({
      driver: z
        .string()
        .refine(driver => drivers.includes(driver))
        .nullable(),
      signals: z.strictObject(Object.fromEntries(keys.map(key => [key, label]))),
      /** Turns of which one shows the signal. */
      evidence: z.partialRecord(z.enum(keys), z.array(z.int().min(0)).min(1)).optional(),
    }),
    notes: z.string(),
  })
}
