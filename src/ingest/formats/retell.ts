import { z } from 'zod'
import type { Role } from './conversation/speech.js'
import { documentFormat, type Told } from './documents/document-format.js'
import { address, directionOf, id, lasting, text } from './documents/fields.js'
import { instantMs, instantOf, milliseconds, seconds, since } from './documents/times.js'
import { missing } from './missing.js'

const call = z.object({
  call_id: id,
  call_type: text,
  call_status: text,
  agent_id: id,
  agent_name: text,
  direction: text,
  from_number: text,
  to_number: text,
  start_timestamp: instantMs,
  end_timestamp: instantMs,
  duration_ms: milliseconds,
  disconnection_reason: text,
  recording_url: address,
  call_analysis: z
    .object({ call_summary: text, user_sentiment: text, call_successful: z.boolean().nullish() })
    .nullish(),
  transcript_object: z
    .array(
      z.object({ role: text, content: text, words: z.array(z.object({ start: seconds, end: seconds })).nullish() }),
    )
    .nullish(),
})

/** What is read of a call, and of an event that holds one; the names are Retell's. */
const given = call.extend({ event: text, call: call.nullish() })

const ROLES: Readonly<Record<string, Role>> = { agent: 'bot', user: 'customer', transfer_target: 'system' }

function tell(document: z.output<typeof given>): Told {
  const about = document.call ?? document
  const { transcript_object: said, call_analysis: analysis } = about
  if (said === null || said === undefined) return 'is a call without its transcript_object, which says who said what'
  const length = about.duration_ms ?? since(about.start_timestamp, about.end_timestamp)
  return {
    speeches: said.map(({ role: word, content = '', words }) => {
      const role = ROLES[word ?? '']
      return { speaker: role ?? word, role, text: content, start: words?.[0]?.start, end: words?.at(-1)?.end }
    }),
    fields: {
      session_id: about.call_id,
      agent_id: about.agent_id,
      agent_name: about.agent_name ?? about.agent_id,
      created_dt: instantOf(about.start_timestamp),
      channel: 'phone',
      interaction_direction: directionOf(about.direction),
      recording_url: about.recording_url,
      talk_patterns: lasting(length),
    },
    metadata: {
      from_number: about.from_number,
      to_number: about.to_number,
      call_type: about.call_type,
      disconnection_reason: about.disconnection_reason,
      call_summary: analysis?.call_summary,
      call_successful: analysis?.call_successful,
      audio_length_seconds: length,
    },
  }
}

/** Retell AI: calls, and the events of its webhooks that hold one. */
export const retell = documentFormat({
  name: 'retell',
  title: 'Retell AI call JSON, or an event that holds one',
  page: {
    recognised: 'JSON with `transcript_object` and `call_id`, also within the `call` of an event',
    documented: [
      'https://docs.retellai.com/api-references/get-call',
      'https://docs.retellai.com/features/webhook-overview',
    ],
    agent: '`role` agent is the voice agent',
    taken:
      '`call_id` → session_id; `agent_id`, `agent_name`; start, duration, direction; times from words; `recording_url`; numbers, why it ended and the summary → session_metadata',
    lost: 'words, latency, costs, what tools were asked and answered, dynamic variables',
  },
  marks: [
    ['transcript_object', 'call_id'],
    ['call.transcript_object'],
    ['call_id', 'call_status', 'call_type'],
    ['call.call_id', 'event'],
  ],
  schema: given,
  tell,
  missing,
})
