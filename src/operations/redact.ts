import { z } from 'zod'
import { redactStored } from '../ingest/redact-stored.js'
import { type MaskKind, maskKinds } from '../redact/mask.js'
import { operation } from './operation.js'

const counts = z.record(z.enum(maskKinds), z.int())
const kind = z.enum(maskKinds)

const redaction = z.strictObject({
  dry_run: z.boolean(),
  looked: z.int().meta({ description: 'Calls that were looked at' }),
  masked: z.int().meta({ description: 'Calls in which something is masked now, or would be in a dry run' }),
  left: z.int().meta({ description: 'Not written: under a legal hold, or replaced meanwhile' }),
  feedback: z.int().meta({ description: 'Words of people on calls in which something is masked' }),
  places: counts.meta({ description: 'Places by kind' }),
  calls: counts.meta({ description: 'Calls that have such a place, by kind' }),
})
export type Redaction = z.output<typeof redaction>

/** Masks what is stored. For the operator. */
export const redactProject = operation({
  method: 'POST',
  url: '/control/projects/:project_id/redact',
  access: 'super_admin',
  query: z.strictObject({
    dry_run: z.boolean().default(true),
    kinds: z
      .string()
      .transform((text, context): MaskKind[] => {
        const read = z.array(kind).min(1).safeParse(text.split(','))
        if (read.success) return read.data
        context.addIssue({ code: 'custom', message: `must be kinds with commas between them: ${maskKinds.join(', ')}` })
        return z.NEVER
      })
      .optional(),
  }),
  streams: true,
  progress: z.strictObject({ done: z.int(), total: z.int() }),
  answer: redaction,
  rows: answer => ('masked' in answer && typeof answer.masked === 'number' ? answer.masked : 0),
  run: async ({ projects, threads, store }, request, who) => {
    const { project_id: projectId } = projects.get(request.param('project_id'))
    const { dry_run: dryRun, kinds = maskKinds } = request.query()
    const redact = () =>
      redactStored({
        calls: store.calls,
        feedback: store.events.feedback,
        threads,
        turn: { requester: { project: projectId, key: who.subject }, signal: request.signal },
        projectId,
        kinds,
        dryRun,
        onProgress: progress => request.say(progress),
      })
    const done = dryRun
      ? await redact()
      : await projects.takingAway(projectId, redact, ({ masked, feedback }) => masked + feedback > 0)
    return { dry_run: dryRun, ...done }
  },
})
