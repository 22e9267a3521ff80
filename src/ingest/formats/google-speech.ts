import { z } from 'zod'
import { joinSpeeches } from './conversation/join-speeches.js'
import type { Speech } from './conversation/speech.js'
import { documentFormat, type ToldCall } from './documents/document-format.js'
import { id, lasting, number, text } from './documents/fields.js'
import { duration } from './documents/times.js'
import { missing } from './missing.js'

const result = z.object({
  channelTag: number,
  languageCode: text,
  resultEndTime: duration,
  resultEndOffset: duration,
  alternatives: z
    .array(
      z.object({
        transcript: text,
        words: z
          .array(
            z.object({
              word: z.string(),
              startTime: duration,
              endTime: duration,
              startOffset: duration,
              endOffset: duration,
              speakerTag: number,
              speakerLabel: text,
            }),
          )
          .nullish(),
      }),
    )
    .nullish(),
})

/** What is read of a response, alone or of a finished operation; the names are Google's. */
const response = z.object({
  requestId: id,
  results: z.array(result).nullish(),
  response: z.object({ requestId: id, results: z.array(result) }).nullish(),
})
type Result = z.output<typeof result>

function tell(given: z.output<typeof response>): ToldCall {
  const results = given.response?.results ?? given.results ?? []
  const length = results.reduce<number | undefined>((latest, { resultEndTime, resultEndOffset }) => {
    const end = resultEndTime ?? resultEndOffset
    return end === undefined || (latest !== undefined && latest > end) ? latest : end
  }, undefined)
  return {
    speeches: speechesOf(results),
    fields: {
      session_id: given.response?.requestId ?? given.requestId,
      channel: 'phone',
      language_primary: results.find(({ languageCode }) => languageCode !== undefined)?.languageCode,
      talk_patterns: lasting(length),
    },
    metadata: { audio_length_seconds: length },
  }
}

function speechesOf(results: readonly Result[]): readonly Speech[] {
  const spoken = withoutRepeats(results).map(one => ({ channel: one.channelTag, words: wordsOf(one) }))
  const channels = new Set(spoken.map(({ channel }) => channel))
  if (channels.size < 2) return joinSpeeches(spoken.flatMap(({ words }) => words))
  return spoken.flatMap(({ channel, words }) => {
    return joinSpeeches(words.map(word => ({ ...word, speaker: `channel ${channel ?? 0}` })))
  })
}

function wordsOf({ alternatives, resultEndTime, resultEndOffset }: Result): readonly Speech[] {
  const [best] = alternatives ?? []
  // Without the words of a result there is what it says as a whole, of nobody in particular.
  if (best?.words === null || best?.words === undefined || best.words.length === 0) {
    return [
      { speaker: undefined, text: best?.transcript ?? '', start: undefined, end: resultEndTime ?? resultEndOffset },
    ]
  }
  return best.words.map(({ word, startTime, startOffset, endTime, endOffset, speakerTag: tag, speakerLabel }) => ({
    speaker: speakerLabel ?? (tag === undefined || tag === 0 ? undefined : String(tag)),
    // Version 1 parts words by a sign of its own where a model has no spaces.
    text: word.replaceAll('▁', ''),
    start: startTime ?? startOffset,
    end: endTime ?? endOffset,
  }))
}

/** Version 1 says who spoke in a last result that holds all words again. */
function withoutRepeats(results: readonly Result[]): readonly Result[] {
  const isTagged = ({ alternatives }: Result) =>
    alternatives?.[0]?.words?.some(({ speakerTag }) => speakerTag !== undefined && speakerTag > 0) === true
  const tagged = results.filter(isTagged)
  const last = tagged.at(-1)
  const startOf = (one: Result | undefined) => one?.alternatives?.[0]?.words?.[0]?.startTime ?? 0
  const repeats = last !== undefined && results.length > 1 && startOf(last) <= startOf(results[0])
  return repeats ? [last] : results
}

/** Google Cloud Speech-to-Text, with diarization or several channels. */
export const googleSpeech = documentFormat({
  name: 'google-speech',
  title: 'Google Cloud Speech-to-Text JSON, with diarization or several channels',
  page: {
    recognised: 'JSON with `results[].alternatives[].transcript`, also within the `response` of an operation',
    documented: [
      'https://cloud.google.com/speech-to-text/docs/reference/rest/v1p1beta1/speech/recognize',
      'https://cloud.google.com/speech-to-text/v2/docs/reference/rest/v2/BatchRecognizeResponse',
    ],
    agent: 'who greets first, or `--agent-speaker 1` (`"channel 1"`)',
    taken:
      '`requestId` → session_id; language; words joined to turns by `speakerTag`, `speakerLabel` or `channelTag`; the end of the last result → duration',
    lost: 'confidence, times of words, other alternatives',
  },
  marks: [
    ['results[].alternatives[].transcript', '!results.channels', '!results[].alternatives[].content'],
    ['results[].alternatives[].words[].word', '!results[].alternatives[].content'],
    ['response.results[].alternatives'],
  ],
  schema: response,
  tell,
  missing,
})
