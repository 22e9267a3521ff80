import { z } from 'zod'
import type { Role } from './conversation/speech.js'
import { documentFormat, type Told } from './documents/document-format.js'
import { id, lasting, number, text } from './documents/fields.js'
import { instantMs, instantOf, textSeconds } from './documents/times.js'
import { missing } from './missing.js'

/** What is read of sentences, of a transcript with its sentences, and of a recording's transcription; the names are Twilio's. */
const transcript = z.object({
  sid: id,
  language_code: text,
  media_start_time: instantMs,
  duration: textSeconds,
  customer_key: text,
  channel: z
    .object({
      participants: z
        .array(z.object({ channel_participant: number, full_name: text, role: text, user_id: id }))
        .nullish(),
    })
    .nullish(),
  sentences: z
    .array(z.object({ media_channel: number, start_time: textSeconds, end_time: textSeconds, transcript: text }))
    .nullish(),
  meta: z.object({ url: text, first_page_url: text, next_page_url: text }).nullish(),
  recording_sid: id,
  transcription_text: text,
})

const ROLES: Readonly<Record<string, Role>> = { agent: 'agent', customer: 'customer' }
const IN_URL = /\/Transcripts\/(GT[0-9a-fA-F]{32})(?:[/?]|$)/

function tell(call: z.output<typeof transcript>): Told {
  const { sentences, meta, channel } = call
  if (sentences === null || sentences === undefined) {
    return call.transcription_text === undefined
      ? 'is a transcript without its sentences: put the answer of …/Sentences into it as "sentences", or import that'
      : 'names no speakers, so who said what is not known: transcribe the recording with Voice Intelligence, by channel'
  }
  if (meta?.next_page_url !== undefined) return 'is a page of sentences, and more follow: ask for all in one page'
  const people = new Map(channel?.participants?.map(one => [one.channel_participant, one]))
  const agent = [...people.values()].find(({ role }) => ROLES[role?.toLowerCase() ?? ''] === 'agent')
  return {
    speeches: sentences.map(({ media_channel: of, transcript: said, start_time: start, end_time: end }) => {
      const person = people.get(of)
      const role = ROLES[person?.role?.toLowerCase() ?? '']
      const label = of === undefined ? undefined : `channel ${of}`
      return { speaker: person?.full_name ?? role ?? label, role, text: said ?? '', start, end }
    }),
    fields: {
      session_id: call.sid ?? IN_URL.exec(meta?.first_page_url ?? meta?.url ?? '')?.[1],
      agent_id: agent?.user_id,
      created_dt: instantOf(call.media_start_time),
      channel: 'phone',
      language_primary: call.language_code,
      talk_patterns: lasting(call.duration),
    },
    metadata: { customer_key: call.customer_key, audio_length_seconds: call.duration },
  }
}

/** Twilio Voice Intelligence: the sentences of a transcript, alone or within the transcript. */
export const twilio = documentFormat({
  name: 'twilio',
  title: 'Twilio Voice Intelligence sentences JSON, alone or within their transcript',
  page: {
    recognised:
      'JSON with `sentences[].media_channel`; a recording’s own transcription, which names no speakers, is refused',
    documented: [
      'https://www.twilio.com/docs/conversational-intelligence/api/transcript-sentence-subresource',
      'https://www.twilio.com/docs/conversational-intelligence/api/transcript-resource',
      'https://www.twilio.com/docs/voice/api/recording-transcription',
    ],
    agent:
      '`channel.participants[].role` of the transcript; without it who greets first, or `--agent-speaker "channel 1"`',
    taken:
      '`sid`, else the transcript’s id in `meta.url` → session_id; `media_start_time` → created_dt; names, `user_id` → agent_id; language, duration, times of sentences',
    lost: 'words, confidence, results of operators',
  },
  marks: [
    ['sentences[].media_channel'],
    ['recording_sid', 'transcription_text'],
    ['channel.participants[].channel_participant', 'sid'],
  ],
  schema: transcript,
  tell,
  missing,
})
