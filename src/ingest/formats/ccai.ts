import { z } from 'zod'
import type { Role, Speech } from './conversation/speech.js'
import { documentFormat, type ToldCall } from './documents/document-format.js'
import { id, lasting, number, text } from './documents/fields.js'
import { duration, earliest, instantMs, instantOf, since } from './documents/times.js'
import { missing } from './missing.js'

/** What is read of a conversation, and of the file that conversations are uploaded as; the names are Google's. */
const conversation = z.object({
  name: text,
  startTime: instantMs,
  languageCode: text,
  agentId: id,
  duration,
  medium: text,
  callMetadata: z.object({ customerChannel: number, agentChannel: number }).nullish(),
  qualityMetadata: z
    .object({
      customerSatisfactionRating: number,
      agentInfo: z.array(z.object({ agentId: id, displayName: text, team: text, dispositionCode: text })).nullish(),
    })
    .nullish(),
  transcript: z
    .object({
      transcriptSegments: z.array(
        z.object({
          messageTime: instantMs,
          text,
          languageCode: text,
          channelTag: number,
          words: z.array(z.object({ startOffset: duration, endOffset: duration })).nullish(),
          segmentParticipant: z.object({ role: text, userId: id }).nullish(),
        }),
      ),
    })
    .nullish(),
  conversation_info: z.object({ conversation_id: id, agent_id: id, agent_display_name: text }).nullish(),
  entries: z
    .array(
      z.object({ text, role: text, user_id: id, start_timestamp_usec: z.union([z.number(), z.string()]).nullish() }),
    )
    .nullish(),
})
type Conversation = z.output<typeof conversation>

const ROLES: Readonly<Record<string, Role>> = {
  HUMAN_AGENT: 'agent',
  ANY_AGENT: 'agent',
  AGENT: 'agent',
  AUTOMATED_AGENT: 'bot',
  END_USER: 'customer',
  CUSTOMER: 'customer',
}

function tell(call: Conversation): ToldCall {
  const [agent] = call.qualityMetadata?.agentInfo ?? []
  const { speeches, began } = call.entries ? uploaded(call.entries) : segments(call)
  const { conversation_info: info } = call
  const agentId = agent?.agentId ?? call.agentId ?? info?.agent_id
  return {
    speeches,
    fields: {
      session_id: call.name?.split('/').at(-1) ?? info?.conversation_id,
      agent_id: agentId,
      agent_name: agent?.displayName ?? info?.agent_display_name ?? agentId,
      created_dt: instantOf(call.startTime ?? began),
      channel: call.entries !== null && call.entries !== undefined ? 'chat' : call.medium === 'CHAT' ? 'chat' : 'phone',
      language_primary: call.languageCode ?? call.transcript?.transcriptSegments[0]?.languageCode,
      talk_patterns: lasting(call.duration),
    },
    metadata: {
      team: agent?.team,
      disposition_code: agent?.dispositionCode,
      customer_satisfaction_rating: call.qualityMetadata?.customerSatisfactionRating,
      audio_length_seconds: call.duration,
    },
  }
}

interface Told {
  readonly speeches: readonly Speech[]
  /** Milliseconds since 1970. */
  readonly began: number | undefined
}

function segments({ transcript, startTime, callMetadata }: Conversation): Told {
  const all = transcript?.transcriptSegments ?? []
  const began = startTime ?? earliest(all.map(({ messageTime }) => messageTime))
  const speeches = all.map(({ text: said, messageTime, channelTag: channel, words, segmentParticipant: who }) => {
    const role = ROLES[who?.role ?? ''] ?? byChannel(channel, callMetadata)
    return {
      speaker: role ?? (channel === undefined || channel === 0 ? undefined : `channel ${channel}`),
      role,
      text: said ?? '',
      start: words?.[0]?.startOffset ?? since(began, messageTime),
      end: words?.at(-1)?.endOffset,
    }
  })
  return { speeches, began }
}

function byChannel(channel: number | undefined, told: Conversation['callMetadata']): Role | undefined {
  if (channel === undefined || told === null || told === undefined) return undefined
  if (channel === told.agentChannel) return 'agent'
  return channel === told.customerChannel ? 'customer' : undefined
}

function uploaded(entries: NonNullable<Conversation['entries']>): Told {
  const times = entries.map(({ start_timestamp_usec: at }) =>
    at === null || at === undefined ? undefined : Number(at) / 1000,
  )
  const first = earliest(times)
  const speeches = entries.map(({ text: said, role: word, user_id: user }, index) => {
    const role = ROLES[word?.toUpperCase() ?? '']
    return { speaker: role ?? user, role, text: said ?? '', start: since(first, times[index]), end: undefined }
  })
  // Some count from 0.
  return { speeches, began: first !== undefined && first >= FIRST_REAL_MS ? first : undefined }
}

/** Earlier times of an upload are none of this world: 2000. */
const FIRST_REAL_MS = Date.UTC(2000, 0)

/** Google Contact Center AI Insights (Customer Experience Insights): conversations, and the files they are uploaded as. */
export const ccai = documentFormat({
  name: 'ccai-insights',
  title: 'Google Contact Center AI Insights conversation JSON',
  page: {
    recognised: 'JSON with `transcript.transcriptSegments`, or with `entries[].start_timestamp_usec`',
    documented: [
      'https://cloud.google.com/contact-center/insights/docs/reference/rest/v1/projects.locations.conversations',
      'https://cloud.google.com/contact-center/insights/docs/conversation-data-format',
    ],
    agent: '`segmentParticipant.role`, else the channel that `callMetadata` names, else `entries[].role`',
    taken:
      'the last part of `name` → session_id; `startTime`, `languageCode`, `duration`, `medium` → channel; `agentInfo` → agent_id and agent_name; team, disposition and satisfaction → session_metadata',
    lost: 'annotations, sentiment, words, suggestions',
  },
  marks: [
    ['transcript.transcriptSegments'],
    ['entries[].start_timestamp_usec'],
    ['entries[].role', 'conversation_info'],
  ],
  schema: conversation,
  tell,
  missing,
})
