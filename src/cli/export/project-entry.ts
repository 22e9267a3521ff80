import { z } from 'zod'
import { canonicalJson } from '../../access/canonical-json.js'
import { projectPatch } from '../../access/project-fields.js'
import { openObject } from '../../base/open-object.js'
import { alertPatch, newAlert } from '../../events/alerts/alert-fields.js'
import { keptFeedback } from '../../events/feedback-fields.js'
import { newWebhook, webhookPatch } from '../../events/webhook-fields.js'

const alert = newAlert.extend({ active: alertPatch.shape.active })
const webhook = newWebhook.extend({ active: webhookPatch.shape.active })
const task = z.strictObject({
  name: z.string(),
  kind: z.string(),
  schedule: z.strictObject({ cron: z.string(), time_zone: z.string() }),
  parameters: openObject,
  enabled: z.boolean(),
})
const document = z.strictObject({
  name: z.string(),
  title: z.string(),
  url: z.string().exactOptional(),
  sections: z.array(z.strictObject({ title: z.string().exactOptional(), text: z.string() })),
})
/** A version of the rubric, the oldest first: an own one as its text, a built-in one by name. */
const rubric = z.strictObject({
  text: z.string().exactOptional(),
  built_in: z.string().exactOptional(),
  in_force: z.literal(true).exactOptional(),
})

/** What belongs to a project beside its calls, an entry a line. Strict, so that a line of another make is refused. */
export const projectEntry = z.discriminatedUnion('entry', [
  projectPatch.extend({ entry: z.literal('project') }),
  rubric.extend({ entry: z.literal('rubric') }),
  document.extend({ entry: z.literal('document') }),
  keptFeedback.extend({ entry: z.literal('feedback') }),
  alert.extend({ entry: z.literal('alert') }),
  webhook.extend({ entry: z.literal('webhook') }),
  task.extend({ entry: z.literal('task') }),
])
export type ProjectEntry = z.output<typeof projectEntry>

/**
 * The same entry is the same bytes, wherever it comes from. What kind it is stands first: import tells entries from calls
 * by the beginning of their lines.
 */
export function entryLine({ entry, ...fields }: ProjectEntry): string {
  return `{"entry":${JSON.stringify(entry)},${canonicalJson(fields).slice(1)}`
}

/** What of a thing as it is shown belongs into its entry: no ids, no times, nothing of its history. */
export const entryOf = {
  project: (shown: object): ProjectEntry => ({ entry: 'project', ...projectPatch.strip().parse(shown) }),
  document: (shown: object): ProjectEntry => ({ entry: 'document', ...document.strip().parse(shown) }),
  alert: (shown: object): ProjectEntry => ({ entry: 'alert', ...alert.strip().parse(shown) }),
  webhook: (shown: object): ProjectEntry => ({ entry: 'webhook', ...webhook.strip().parse(shown) }),
  task: (shown: object): ProjectEntry => ({ entry: 'task', ...task.strip().parse(shown) }),
} as const
