import { z } from 'zod'
import type { Role, Speech } from './conversation/speech.js'
import { documentFormat, type ToldCall } from './documents/document-format.js'
import { directionOf, id, lasting, text } from './documents/fields.js'
import { earliest, instantMs, instantOf, milliseconds, since } from './documents/times.js'
import { missing } from './missing.js'

const span = z
  .object({ milliseconds })
  .nullish()
  .transform(value => value?.milliseconds)

/** What is read of the transcript of a communication; the names are Genesys's. */
const transcript = z.object({
  conversationId: id,
  communicationId: id,
  organizationId: id,
  mediaType: text,
  conversationStartTime: instantMs,
  startTime: instantMs,
  duration: span,
  participants: z
    .array(
      z.object({
        participantPurpose: text,
        userId: id,
        queueId: id,
        flowId: id,
        divisionId: id,
        teamId: id,
        initialDirection: text,
        messageType: text,
        ani: text,
        dnis: text,
      }),
    )
    .nullish(),
  transcripts: z.array(
    z.object({
      language: text,
      startTime: instantMs,
      messageType: text,
      phrases: z
        .array(
          z.object({
            text,
            decoratedText: text,
            participantPurpose: text,
            startTimeMs: instantMs,
            offset: span,
            duration: span,
          }),
        )
        .nullish(),
    }),
  ),
})
type Transcript = z.output<typeof transcript>

const ROLES: Readonly<Record<string, Role>> = {
  internal: 'agent',
  agent: 'agent',
  user: 'agent',
  external: 'customer',
  customer: 'customer',
  bot: 'bot',
  botflow: 'bot',
}
const CHANNELS: Readonly<Record<string, string>> = {
  call: 'phone',
  callback: 'phone',
  voice: 'phone',
  chat: 'chat',
  message: 'chat',
  email: 'email',
}

function tell(call: Transcript): ToldCall {
  const began = earliest([
    call.startTime,
    ...call.transcripts.flatMap(({ startTime, phrases }) => [
      startTime,
      ...(phrases ?? []).map(one => one.startTimeMs),
    ]),
  ])
  const of = (role: Role) =>
    call.participants?.find(({ participantPurpose: purpose }) => ROLES[purpose?.toLowerCase() ?? ''] === role)
  const agent = of('agent')
  const customer = of('customer')
  return {
    speeches: speechesOf(call, began),
    fields: {
      // A conversation has a transcript for each of its communications.
      session_id: call.communicationId ?? call.conversationId,
      agent_id: agent?.userId,
      // It names nobody: the agent goes by the id of the user, unless --map says better.
      agent_name: agent?.userId,
      created_dt: instantOf(began ?? call.conversationStartTime),
      channel: channelOf(call),
      language_primary: call.transcripts.find(({ language }) => language !== undefined)?.language,
      interaction_direction: directionOf(customer?.initialDirection ?? agent?.initialDirection),
      talk_patterns: lasting(call.duration),
    },
    metadata: {
      conversation_id: call.conversationId,
      organization_id: call.organizationId,
      queue_id: agent?.queueId ?? customer?.queueId,
      team_id: agent?.teamId,
      division_id: agent?.divisionId,
      flow_id: customer?.flowId,
      ani: customer?.ani,
      dnis: customer?.dnis,
      audio_length_seconds: call.duration,
    },
  }
}

function channelOf({ mediaType, participants, transcripts }: Transcript): string | undefined {
  const messages = [...transcripts, ...(participants ?? [])].map(({ messageType }) => messageType?.toLowerCase())
  return messages.includes('sms') ? 'sms' : CHANNELS[mediaType?.toLowerCase() ?? '']
}

function speechesOf({ transcripts }: Transcript, began: number | undefined): readonly Speech[] {
  return transcripts.flatMap(({ startTime: from, phrases }) =>
    (phrases ?? []).map(({ text: said, decoratedText, participantPurpose: purpose, startTimeMs, offset, duration }) => {
      // An offset counts from the beginning of its own transcript, of which a communication may have several.
      const start = since(began, startTimeMs) ?? (offset === undefined ? undefined : offset + (since(began, from) ?? 0))
      const role = ROLES[purpose?.toLowerCase() ?? ''] ?? (purpose === undefined ? undefined : 'system')
      return {
        speaker: role,
        role,
        text: decoratedText ?? said ?? '',
        start,
        end: start === undefined || duration === undefined ? undefined : start + duration,
      }
    }),
  )
}

/** The transcript that Genesys Cloud's speech and text analytics gives of a communication. */
export const genesys = documentFormat({
  name: 'genesys',
  title: 'Genesys Cloud speech and text analytics transcript JSON',
  page: {
    recognised: 'JSON with `transcripts[].phrases` and `conversationId`',
    documented: ['https://developer.genesys.cloud/analyticsdatamanagement/speechtextanalytics/transcript-url'],
    agent: '`participantPurpose`: internal is the agent, external the customer',
    taken:
      '`communicationId` → session_id, since a conversation has a transcript for each; the user’s id → agent_id and agent_name; start, `mediaType` → channel, language, `initialDirection`; ids of conversation, queue, team, division and flow, ani and dnis → session_metadata',
    lost: 'words, alternatives, sentiment, topics, acoustics',
  },
  marks: [
    ['transcripts[].phrases', 'conversationId'],
    ['transcripts[].phrases', 'communicationId'],
  ],
  schema: transcript,
  tell,
  missing,
})
