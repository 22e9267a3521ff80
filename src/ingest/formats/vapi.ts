import { z } from 'zod'
import type { Role } from './conversation/speech.js'
import { documentFormat, type Told } from './documents/document-format.js'
import { address, directionOf, id, lasting, number, text } from './documents/fields.js'
import { earliest, instantMs, instantOf, seconds, since } from './documents/times.js'
import { missing } from './missing.js'

const messages = z
  .array(
    z.object({
      role: text,
      message: text,
      content: text,
      time: instantMs,
      endTime: instantMs,
      secondsFromStart: seconds,
    }),
  )
  .nullish()
const call = z.object({
  id,
  type: text,
  startedAt: instantMs,
  endedAt: instantMs,
  endedReason: text,
  status: text,
  assistantId: id,
  assistant: z.object({ name: text }).nullish(),
  customer: z.object({ name: text, number: text }).nullish(),
  phoneNumberId: id,
  recordingUrl: address,
})
const artifact = z.object({ messages, recordingUrl: address }).nullish()

/** What is read of a call, and of the report that a server is sent at its end; the names are Vapi's. */
const report = call.extend({
  messages,
  artifact,
  message: call.extend({ call: call.nullish(), artifact, messages, durationSeconds: number }).nullish(),
})

const ROLES: Readonly<Record<string, Role>> = { bot: 'bot', assistant: 'bot', user: 'customer' }
/** Of the people in a call; what tools are asked and answer is left out. */
const SPOKEN: ReadonlySet<string | undefined> = new Set(Object.keys(ROLES))

function tell(given: z.output<typeof report>): Told {
  const { message } = given
  const said = given.artifact?.messages ?? given.messages ?? message?.artifact?.messages ?? message?.messages ?? []
  const about = { ...given, ...known(message), ...known(message?.call) }
  const spoken = said.filter(({ role }) => SPOKEN.has(role))
  const began = about.startedAt ?? earliest(spoken.map(({ time }) => time))
  const length = since(began, about.endedAt) ?? message?.durationSeconds
  return {
    speeches: spoken.map(({ role, message: words, content, time, endTime, secondsFromStart }) => ({
      speaker: ROLES[role ?? ''],
      role: ROLES[role ?? ''],
      text: words ?? content ?? '',
      // Both by one clock: seconds are counted from when somebody was heard, times from when the call began.
      start: since(began, time) ?? secondsFromStart,
      end: time === undefined ? undefined : since(began, endTime),
    })),
    fields: {
      session_id: about.id,
      agent_id: about.assistantId,
      agent_name: about.assistant?.name ?? about.assistantId,
      created_dt: instantOf(began),
      channel: 'phone',
      interaction_direction: directionOf(about.type),
      customer_display_name: about.customer?.name,
      recording_url: about.recordingUrl ?? given.artifact?.recordingUrl ?? message?.artifact?.recordingUrl,
      talk_patterns: lasting(length),
    },
    metadata: {
      ended_reason: about.endedReason,
      customer_number: about.customer?.number,
      phone_number_id: about.phoneNumberId,
      audio_length_seconds: length,
    },
  }
}

/** The fields of an object that are there, so that another's stay. */
function known<T extends object>(value: T | null | undefined): Partial<T> {
  return Object.fromEntries(
    Object.entries(value ?? {}).filter(([, one]) => one !== undefined && one !== null),
  ) as Partial<T>
}

/** Vapi: calls, and reports at the end of calls. */
export const vapi = documentFormat({
  name: 'vapi',
  title: 'Vapi call JSON, or its end-of-call report',
  page: {
    recognised: 'JSON with `messages[].secondsFromStart`, at the top, in `artifact` or in the `message` of a report',
    documented: ['https://docs.vapi.ai/api-reference/calls/get', 'https://docs.vapi.ai/server-url/events'],
    agent: 'the assistant: `role` bot or assistant',
    taken:
      '`id` → session_id; the assistant’s name, else its id → agent_name; `startedAt`, `endedAt`; `type` → direction; name and number of the customer; `recordingUrl`; why it ended → session_metadata',
    lost: 'prompts, what tools were asked and answered, costs, analysis',
  },
  marks: [
    ['messages[].secondsFromStart'],
    ['artifact.messages[].role'],
    ['message.artifact.messages'],
    ['message.messages[].secondsFromStart'],
    ['orgId', 'assistantId', 'messages[].message'],
  ],
  schema: report,
  tell,
  missing,
})
