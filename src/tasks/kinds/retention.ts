import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import { isoInstant } from '../../base/window.js'
import { eraseCalls, eraseSpeech } from '../../ingest/erase-calls.js'
import { type TaskContext, taskKind } from '../task-kind.js'

/** Calls that are erased in one go: between two, other writes get their turn. */
const BATCH_CALLS = 500

const days = z.int().min(1).max(36_500)

const parameters = z
  .strictObject({
    calls_after_days: days.optional().meta({ description: 'Erase calls that are older' }),
    transcripts_after_days: days
      .optional()
      .meta({ description: 'Take out of calls that are older what was said; scores and signals stay' }),
  })
  .refine(
    ({ calls_after_days: calls, transcripts_after_days: transcripts }) =>
      calls !== undefined || transcripts !== undefined,
    {
      path: ['calls_after_days'],
      error: 'is required, or transcripts_after_days, or both',
    },
  )
  .refine(({ calls_after_days: calls = Infinity, transcripts_after_days: transcripts = 0 }) => transcripts < calls, {
    path: ['transcripts_after_days'],
    error: 'must be less than calls_after_days: the calls go with their transcripts',
  })

/**
 * Erases calls older than so many days: those that began before the first instant of the day so many days ago, in the
 * project's time zone. Erased ids are remembered (as keyed hashes), so that no later import brings them back.
 */
export const retention = taskKind({
  name: 'retention',
  title: 'Erase calls older than so many days; what was said in them earlier, if asked',
  parameters,
  check: () => undefined,
  run: async ({ calls_after_days: forCalls, transcripts_after_days: forTranscripts }, context) => {
    const { calls } = context.services
    const projectId = context.project.project_id
    const callsBefore = forCalls === undefined ? undefined : startOfDay(context, forCalls)
    const transcriptsBefore = forTranscripts === undefined ? undefined : startOfDay(context, forTranscripts)
    const take = async () => ({
      erased:
        callsBefore === undefined
          ? 0
          : await inBatches(
              context,
              () => calls.olderThan(projectId, callsBefore, { limit: BATCH_CALLS }),
              ids => eraseCalls(context.services, projectId, ids, { by: 'retention', how: 'retention' }),
            ),
      cleared:
        transcriptsBefore === undefined
          ? 0
          : await inBatches(
              context,
              () => calls.olderThan(projectId, transcriptsBefore, { limit: BATCH_CALLS, withTranscript: true }),
              ids => eraseSpeech(context.services, projectId, ids),
            ),
    })
    const { projects } = context.services
    const { erased, cleared } = await projects.takingAway(projectId, take, done => done.erased + done.cleared > 0)
    const said = [
      ...(callsBefore === undefined ? [] : [`${erased} calls from before ${isoInstant(callsBefore)} erased`]),
      ...(transcriptsBefore === undefined
        ? []
        : [`transcripts of ${cleared} calls from before ${isoInstant(transcriptsBefore)} erased`]),
    ].join('; ')
    return {
      summary: said,
      result: {
        ...(forCalls === undefined ? {} : { calls_erased: erased }),
        ...(forTranscripts === undefined ? {} : { transcripts_erased: cleared }),
      },
    }
  },
})

function startOfDay({ now, project }: TaskContext, daysAgo: number): number {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(project.timezone).toPlainDate()
  return today.subtract({ days: daysAgo }).toZonedDateTime(project.timezone).epochMilliseconds
}

/** Works through what is found until nothing is. @returns how many in all */
async function inBatches(
  { signal }: TaskContext,
  find: () => Promise<readonly string[]>,
  work: (ids: readonly string[]) => Promise<number>,
): Promise<number> {
  for (let total = 0; ;) {
    signal.throwIfAborted()
    const ids = await find()
    if (ids.length === 0) return total
    const done = await work(ids)
    // Whoever erases at the same time may have been quicker; twice nothing of what was found would never end.
    if (done === 0) return total
    total += done
  }
}
