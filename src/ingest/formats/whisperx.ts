import { z } from 'zod'
import { joinSpeeches } from './conversation/join-speeches.js'
import type { Speech } from './conversation/speech.js'
import { documentFormat, type ToldCall } from './documents/document-format.js'
import { missing } from './missing.js'

const time = z.number().min(0).nullish()
const speaker = z.string().nullish()

/** What is read of a result; the names are WhisperX's. Words it could not align have no times. */
const result = z.object({
  language: z.string().nullish(),
  segments: z.array(
    z.object({
      start: time,
      end: time,
      text: z.string(),
      speaker,
      words: z.array(z.object({ word: z.string(), start: time, end: time, speaker })).nullish(),
    }),
  ),
})
type Segment = z.output<typeof result>['segments'][number]

function tell({ language, segments }: z.output<typeof result>): ToldCall {
  return {
    speeches: joinSpeeches(segments.flatMap(speechesOf)),
    fields: { channel: 'phone', language_primary: language },
    metadata: {},
  }
}

/** A segment as it is, or in parts where its words name other speakers than it does. */
function speechesOf({ words, text, speaker, start, end }: Segment): readonly Speech[] {
  const named = new Set((words ?? []).flatMap(({ speaker: by }) => by ?? []))
  const isOne = named.size === 0 || (named.size === 1 && (speaker ?? undefined) !== undefined)
  if (isOne) return [speech(text.trim(), speaker, start, end)]
  let by: string | null | undefined = speaker
  return joinSpeeches(
    (words ?? []).map(word => {
      by = word.speaker ?? by
      return speech(word.word, by, word.start, word.end)
    }),
  )
}

function speech(text: string, by: Segment['speaker'], start: Segment['start'], end: Segment['end']): Speech {
  return { speaker: by ?? undefined, text, start: start ?? undefined, end: end ?? undefined }
}

/** WhisperX's JSON, with speakers (`--diarize`). Whisper's own JSON names none, and is refused with that reason. */
export const whisperx = documentFormat({
  name: 'whisperx',
  title: 'WhisperX JSON, with speakers (--diarize)',
  page: {
    recognised: 'JSON with `segments`',
    documented: ['https://github.com/m-bain/whisperX'],
    agent: 'who greets first, or `--agent-speaker SPEAKER_01`',
    taken: '`language`; segments joined to turns, parted where their words name another speaker',
    lost: 'scores, times of words',
  },
  marks: [['segments', '!segments[].type', '!session_id', '!transcripts']],
  schema: result,
  tell,
  missing,
})
