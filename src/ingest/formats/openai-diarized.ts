import { z } from 'zod'
import { joinSpeeches } from './conversation/join-speeches.js'
import { documentFormat, type ToldCall } from './documents/document-format.js'
import { lasting, number, text } from './documents/fields.js'
import { seconds } from './documents/times.js'
import { missing } from './missing.js'

/** What is read of a transcription; the names are OpenAI's. */
const transcription = z.object({
  duration: number,
  language: text,
  segments: z.array(z.object({ start: seconds, end: seconds, text: z.string(), speaker: text })),
})

function tell({ duration, language, segments }: z.output<typeof transcription>): ToldCall {
  return {
    speeches: joinSpeeches(segments.map(({ text: said, ...one }) => ({ ...one, text: said.trim() }))),
    fields: { channel: 'phone', language_primary: language, talk_patterns: lasting(duration) },
    metadata: { audio_length_seconds: duration },
  }
}

/** OpenAI's diarized_json. */
export const openaiDiarized = documentFormat({
  name: 'openai-diarized',
  title: 'OpenAI transcription JSON with speakers (diarized_json)',
  page: {
    recognised: 'JSON with `segments[].type` transcript.text.segment',
    documented: ['https://platform.openai.com/docs/api-reference/audio/diarized-json-object'],
    agent: 'a name or role given with `known_speaker_names`, else who greets first, or `--agent-speaker A`',
    taken: 'segments joined to turns; duration',
    lost: 'ids of segments, usage',
  },
  marks: [['segments[].type=transcript.text.segment']],
  schema: transcription,
  tell,
  missing,
})
