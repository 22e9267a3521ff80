import { z } from 'zod'
import { joinSpeeches } from './conversation/join-speeches.js'
import { documentFormat, type ToldCall } from './documents/document-format.js'
import { id, lasting, number, text } from './documents/fields.js'
import { seconds } from './documents/times.js'
import { missing } from './missing.js'

/** What is read of a transcript (json-v2); the names are Speechmatics'. */
const transcript = z.object({
  job: z.object({ id, created_at: text, data_name: text, duration: number }).nullish(),
  metadata: z.object({ created_at: text, transcription_config: z.object({ language: text }).nullish() }).nullish(),
  results: z.array(
    z.object({
      type: text,
      start_time: seconds,
      end_time: seconds,
      attaches_to: text,
      channel: text,
      alternatives: z.array(z.object({ content: z.string(), speaker: text, language: text })).nullish(),
    }),
  ),
})

/** What it calls a speaker it can't tell. */
const UNKNOWN = 'UU'

function tell({ job, metadata, results }: z.output<typeof transcript>): ToldCall {
  const words = results
    .filter(({ alternatives }) => alternatives !== null && alternatives !== undefined)
    .map(({ type, start_time: start, end_time: end, attaches_to: attaches, channel, alternatives }) => {
      const [best] = alternatives ?? []
      return {
        speaker: channel ?? (best?.speaker === UNKNOWN ? undefined : best?.speaker),
        text: best?.content ?? '',
        start,
        end,
        attached: attaches === 'previous' || (type === 'punctuation' && attaches === undefined),
      }
    })
  return {
    speeches: joinSpeeches(words),
    fields: {
      session_id: job?.id,
      channel: 'phone',
      language_primary: metadata?.transcription_config?.language ?? results[0]?.alternatives?.[0]?.language,
      talk_patterns: lasting(job?.duration),
    },
    metadata: {
      recording: job?.data_name,
      transcribed_at: metadata?.created_at ?? job?.created_at,
      audio_length_seconds: job?.duration,
    },
  }
}

/** Speechmatics, with diarization of speakers or channels. */
export const speechmatics = documentFormat({
  name: 'speechmatics',
  title: 'Speechmatics JSON (json-v2), with diarization',
  page: {
    recognised: 'JSON with `results[].alternatives[].content`',
    documented: ['https://docs.speechmatics.com/speech-to-text/batch/output'],
    agent: 'a channel’s label that is a role, else who greets first, or `--agent-speaker S1`',
    taken:
      '`job.id` → session_id; language, duration; words joined to turns by speaker or channel; name of the recording → session_metadata',
    lost: 'confidence, times of words, entities, summaries; `created_at` is kept as session_metadata.transcribed_at',
  },
  marks: [['results[].alternatives[].content'], ['results[].alternatives', 'metadata.transcription_config']],
  schema: transcript,
  tell,
  missing,
})
