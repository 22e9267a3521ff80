import { z } from 'zod'
import { label } from '../base/label.js'
import { timeZone } from '../base/time-zone.js'
import { outcomeSetting } from '../calls/outcome-field.js'
import { maskKinds } from '../redact/mask.js'
import { doubtfulSettings, evaluationSettings } from '../store/records/project.js'

const projectId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,63}$/,
    'must be 1 to 64 lower-case letters, digits, "_" and "-", beginning with a letter or digit',
  )
const name = label(120).describe('Name, 1 to 120 characters')
const verticals = z
  .array(label(60))
  .max(50)
  .transform(values => [...new Set(values)])
  .describe('Lines of business, which narrow the catalogs; all when empty')
const timezone = timeZone.describe('Time zone in which days are cut, such as Europe/Berlin')

const redact = z
  .boolean()
  .describe(
    'Mask personal data (the kinds in redact_kinds) in every free text of calls, and of feedback on them, that come in from now on',
  )

/** All of them are kept as none, so that a kind that is found one day is masked too. */
const redactKinds = z
  .array(z.enum(['all', ...maskKinds]))
  .min(1)
  .transform(said => {
    const all = said.includes('all')
    return maskKinds.filter(kind => all || said.includes(kind) || (kind === 'cvv' && said.includes('card')))
  })
  .describe(
    'Which kinds are masked where redact is on: all (the default), or some of them. cvv goes with card: the code on a card may not be kept even where its number may',
  )

const evaluation = z
  .enum(evaluationSettings)
  .describe(
    'How calls that come in from now on without an evaluation get one: rules (the default) evaluate them as they come in, model leaves them to a later run of the configured language model, imported leaves them without',
  )

const outcome = outcomeSetting.describe(
  'What outcome lift explains: predicted_csat (the default), or a field of session_metadata that a survey or a help desk filled: resolved (true or false), survey>=4, effort<=2, status=solved, reopened=false. Calls without it are left out of the fit',
)

const doubtful = z
  .enum(doubtfulSettings)
  .describe(
    'Whether figures (summary, performance, changes, distribution) are of calls whose evaluation is of low trust, too: counted (the default) or left_out, unless a question asks with min_trust',
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
    redact_kinds: redactKinds.optional(),
    evaluation: evaluation.optional(),
    outcome: outcome.optional(),
    doubtful: doubtful.optional(),
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
  redact_kinds: redactKinds.optional(),
  evaluation: evaluation.optional(),
  outcome: outcome.optional(),
  doubtful: doubtful.optional(),
})
export type ProjectPatch = z.output<typeof projectPatch>
