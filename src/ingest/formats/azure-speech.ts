import { z } from 'zod'
import type { Speech } from './conversation/speech.js'
import { documentFormat, type ToldCall } from './documents/document-format.js'
import { lasting, number, text } from './documents/fields.js'
import { isoDuration, milliseconds } from './documents/times.js'
import { missing } from './missing.js'

/** What is read of a result of batch or of fast transcription; the names are Azure's. */
const result = z.object({
  source: text,
  timestamp: text,
  duration: isoDuration,
  durationMilliseconds: milliseconds,
  recognizedPhrases: z
    .array(
      z.object({
        recognitionStatus: text,
        channel: number,
        speaker: number,
        locale: text,
        offset: isoDuration,
        duration: isoDuration,
        nBest: z.array(z.object({ display: text, lexical: text })).nullish(),
      }),
    )
    .nullish(),
  phrases: z
    .array(
      z.object({
        channel: number,
        speaker: number,
        locale: text,
        offsetMilliseconds: milliseconds,
        durationMilliseconds: milliseconds,
        text,
      }),
    )
    .nullish(),
})
type Result = z.output<typeof result>

interface Phrase {
  readonly channel: number | undefined
  readonly speaker: number | undefined
  readonly text: string
  readonly start: number | undefined
  readonly length: number | undefined
}

function tell(given: Result): ToldCall {
  const length = given.duration ?? given.durationMilliseconds
  const spoken = phrasesOf(given)
  return {
    speeches: speechesOf(spoken),
    fields: {
      channel: 'phone',
      language_primary: [...(given.phrases ?? []), ...(given.recognizedPhrases ?? [])].find(
        one => one.locale !== undefined,
      )?.locale,
      talk_patterns: lasting(length),
    },
    metadata: { audio_length_seconds: length, transcribed_at: given.timestamp },
  }
}

function phrasesOf({ phrases, recognizedPhrases }: Result): readonly Phrase[] {
  const fast = (phrases ?? []).map(
    ({ channel, speaker, text: said, offsetMilliseconds: start, durationMilliseconds: length }) => {
      return { channel, speaker, text: said ?? '', start, length }
    },
  )
  const batch = (recognizedPhrases ?? [])
    .filter(({ recognitionStatus: status = 'Success' }) => status === 'Success')
    .map(({ channel, speaker, nBest, offset: start, duration: length }) => {
      return { channel, speaker, text: nBest?.[0]?.display ?? nBest?.[0]?.lexical ?? '', start, length }
    })
  return [...fast, ...batch]
}

/** What speakers are called: the channel where each has its own, else the number the diarization gave. */
function speechesOf(phrases: readonly Phrase[]): readonly Speech[] {
  const split = new Set(phrases.map(({ channel }) => channel)).size > 1
  return phrases.map(({ channel, speaker, text: said, start, length }) => ({
    speaker: split ? `channel ${channel ?? 0}` : speaker === undefined ? undefined : `Speaker ${speaker}`,
    text: said,
    start,
    end: start === undefined || length === undefined ? undefined : start + length,
  }))
}

/** Azure AI Speech: results of batch transcription and of fast transcription. */
export const azureSpeech = documentFormat({
  name: 'azure-speech',
  title: 'Azure Speech batch or fast transcription JSON, with diarization or several channels',
  page: {
    recognised: 'JSON with `recognizedPhrases`, or with `phrases` and `combinedPhrases`',
    documented: [
      'https://learn.microsoft.com/en-us/azure/ai-services/speech-service/batch-transcription-get',
      'https://learn.microsoft.com/en-us/azure/ai-services/speech-service/fast-transcription-create',
    ],
    agent: 'who greets first, or `--agent-speaker "Speaker 1"` (`"channel 0"`)',
    taken: 'the best reading of each phrase, with times; locale; duration; several channels are each a speaker',
    lost: 'words, confidence, other readings; `timestamp` is kept as session_metadata.transcribed_at; the address of the recording',
  },
  marks: [['recognizedPhrases'], ['phrases[].offsetMilliseconds'], ['combinedPhrases', 'phrases']],
  schema: result,
  tell,
  missing,
})
