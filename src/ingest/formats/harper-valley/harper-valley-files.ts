import { z } from 'zod'

/**
 * What is read of the corpus's files. Tasks, responses, surveys, labels, emotions and dialog acts are not: they are
 * what an evaluation is measured against, so no evaluation may ever see them.
 */
export const harperValleyMetadata = z.object({
  sid: z.string(),
  session: z.string().optional(),
  start_time_ms: z.number().min(0).max(7e12),
  end_time_ms: z.number().min(0).max(7e12).nullish(),
  agent: z.object({
    // A speaker plays several agents, so the name says who it is.
    metadata: z.object({ agent_name: z.string() }),
    speaker_id: z.number().nullish(),
    hangup_time_ms: z.number().nullish(),
  }),
  caller: z
    .object({
      metadata: z.object({ 'first and last name': z.string().nullish() }).nullish(),
      speaker_id: z.number().nullish(),
      hangup_time_ms: z.number().nullish(),
    })
    .nullish(),
})

export const harperValleyTranscript = z.array(
  z.object({
    speaker_role: z.string(),
    /** From the start of the call, and common to both channels; the corpus's start_ms is not. */
    offset_ms: z.number(),
    duration_ms: z.number().min(0).nullish(),
    human_transcript: z.string().nullish(),
    transcript: z.string().nullish(),
  }),
)

export type HarperValleyMetadata = z.infer<typeof harperValleyMetadata>
export type HarperValleySegment = z.infer<typeof harperValleyTranscript>[number]
