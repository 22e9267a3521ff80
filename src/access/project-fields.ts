import { z } from 'zod'
import { printable } from '../base/printable.js'

const projectId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,63}$/,
    'must be 1 to 64 lower-case letters, digits, "_" and "-", beginning with a letter or digit',
  )
const name = printable(120)
const timezone = z
  .string()
  .max(100)
  .refine(isTimeZone, 'must be the IANA name of a time zone, such as Europe/Berlin')
  .transform(writtenRight)
const verticals = z
  .array(printable(60))
  .max(50)
  .transform(values => [...new Set(values)])

const redact = z
  .boolean()
  .describe(
    'Mask card, phone, social security and bank account numbers and e-mail addresses in every free text of calls that come in from now on',
  )

/** What a new project is made of; its id may be written as `project_id` or `id`, the name defaults to it. */
export const newProject = z
  .strictObject({
    project_id: projectId.optional(),
    id: projectId.optional().describe('The same as project_id'),
    name: name.optional(),
    timezone: timezone.default('UTC'),
    verticals: verticals.default([]),
    redact: redact.optional(),
  })
  .transform(({ id, project_id: written = id, ...rest }, context) => {
    if (written !== undefined && (id ?? written) === written) return { project_id: written, ...rest }
    const message = written === undefined ? 'is required (text)' : 'must be the same as "id"'
    context.issues.push({ code: 'custom', path: ['project_id'], message, input: written })
    return z.NEVER
  })
export type NewProject = z.output<typeof newProject>

/** What can change in a project; its id can't. */
export const projectPatch = z.strictObject({
  name: name.optional(),
  timezone: timezone.optional(),
  verticals: verticals.optional(),
  redact: redact.optional(),
})
export type ProjectPatch = z.output<typeof projectPatch>

function resolved(zone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

// Newer engines also take offsets ("+01:00"), which have no daylight saving and are no names.
function isTimeZone(zone: string): boolean {
  return /^[A-Za-z]/.test(zone) && resolved(zone) !== undefined
}

// "europe/berlin" is kept as Europe/Berlin; an alias such as Asia/Kolkata stays as written.
function writtenRight(zone: string): string {
  const canonical = resolved(zone)
  return canonical?.toLowerCase() === zone.toLowerCase() ? canonical : zone
}
