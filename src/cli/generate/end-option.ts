import { z } from 'zod'
import { parseOptions } from '../schema-options.js'

const instant = z.union([z.iso.date(), z.iso.datetime({ offset: true })])
const fields = z.object({
  end: z
    .string()
    .refine(text => instant.safeParse(text).success, 'must be a date (2026-03-01) or a date-time with offset')
    .optional(),
})

/** The instant `--end` names: a date is its midnight in UTC. @throws Problem `invalid_input` */
export function endOption(text: string | undefined): Date | undefined {
  const { end } = parseOptions(fields, { end: text })
  return end === undefined ? undefined : new Date(end)
}
