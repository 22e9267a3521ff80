import { z } from 'zod'
import { joinSpeeches } from './conversation/join-speeches.js'
import type { Speech } from './conversation/speech.js'
import { documentFormat, type ToldCall } from './documents/document-format.js'
import { missing } from './missing.js'

const time = z.number().min(0)
const word = z.object({
  word: z.string(),
  punctuated_word: z.string().nullish(),
  start: time,
  end: time,
  speaker: z.int().nullish(),
})

/** What is read of a response for recorded audio; the names are Deepgram's. */
const response = z.object({
  metadata: z.object({
    request_id: z.string().nullish(),
    created: z.string().nullish(),
    duration: time.nullish(),
    channels: z.int().nullish(),
  }),
  results: z.object({
    channels: z
      .array(
        z.object({
          detected_language: z.string().nullish(),
          alternatives: z.array(z.object({ words: z.array(word).nullish() })).min(1),
        }),
      )
      .min(1),
    utterances: z
      .array(
        z.object({
          start: time,
          end: time,
          transcript: z.string(),
          speaker: z.int().nullish(),
          channel: z.int().nullish(),
        }),
      )
      .nullish(),
  }),
})
type Response = z.output<typeof response>

function tell({ metadata, results }: Response): ToldCall {
  const duration = metadata.duration ?? undefined
  return {
    speeches: speechesOf(results),
    fields: {
      session_id: metadata.request_id,
      channel: 'phone',
      language_primary: results.channels[0]?.detected_language,
      talk_patterns: duration === undefined ? undefined : { total_duration_s: duration },
    },
    metadata: { audio_length_seconds: duration, transcribed_at: metadata.created },
  }
}

/** What speakers are called: the channel where each has its own, else the number the diarization gave. */
function speechesOf({ channels, utterances }: Response['results']): readonly Speech[] {
  const split = channels.length > 1
  const label = (speaker: number | null | undefined, channel: number | null | undefined): string | undefined => {
    if (split) return channel === null || channel === undefined ? undefined : `channel ${channel}`
    return speaker === null || speaker === undefined ? undefined : String(speaker)
  }
  if (utterances !== null && utterances !== undefined && utterances.length > 0) {
    return utterances.map(({ start, end, transcript: text, speaker, channel }) => ({
      speaker: label(speaker, channel),
      text,
      start,
      end,
    }))
  }
  return channels.flatMap(({ alternatives: [best] }, channel) =>
    joinSpeeches(
      (best?.words ?? []).map(({ word, punctuated_word: text, start, end, speaker }) => ({
        speaker: label(speaker, channel),
        text: text ?? word,
        start,
        end,
      })),
    ),
  )
}

/** Deepgram's response for recorded audio, with `diarize` or several channels; `utterances` make better turns. */
export const deepgram = documentFormat({
  name: 'deepgram',
  title: 'Deepgram JSON, with speakers (diarize=true) or several channels',
  page: {
    recognised: 'JSON with `metadata` and `results.channels`',
    documented: ['https://developers.deepgram.com/reference/speech-to-text/listen-pre-recorded'],
    agent: 'who greets first, or `--agent-speaker 0` (`"channel 1"`)',
    taken:
      '`request_id` → session_id; `duration`; detected language; `utterances`, else words joined to turns; with several channels each is a speaker',
    lost: 'confidence, words, topics, summaries, entities; `created` is kept as session_metadata.transcribed_at, since the call was earlier',
  },
  marks: [['metadata', 'results.channels']],
  schema: response,
  tell,
  missing: {
    ...missing,
    created_dt: `${missing.created_dt} (metadata.created is when it was transcribed; map it if that is near enough)`,
  },
})
