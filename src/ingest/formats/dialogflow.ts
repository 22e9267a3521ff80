import { z } from 'zod'
import type { Speech } from './conversation/speech.js'
import { documentFormat, type ToldCall } from './documents/document-format.js'
import { lasting, text } from './documents/fields.js'
import { duration, earliest, instantMs, instantOf, since } from './documents/times.js'
import { missing } from './missing.js'

const utterance = z
  .union([z.string(), z.array(z.string())])
  .nullish()
  .transform(value => (Array.isArray(value) ? value.join('\n') : (value ?? undefined)))

/** What is read of a conversation of the history; the names are Google's. */
const conversation = z.object({
  name: z.string(),
  type: text,
  languageCode: text,
  startTime: instantMs,
  duration,
  environment: z.object({ displayName: text }).nullish(),
  flows: z.array(z.object({ displayName: text })).nullish(),
  interactions: z.array(
    z.object({
      createTime: instantMs,
      requestUtterances: utterance,
      responseUtterances: utterance,
      request: z.object({ queryInput: z.object({ text: z.object({ text }).nullish() }).nullish() }).nullish(),
      response: z
        .object({
          queryResult: z
            .object({
              text,
              transcript: text,
              responseMessages: z
                .array(z.object({ text: z.object({ text: z.array(z.string()) }).nullish() }))
                .nullish(),
            })
            .nullish(),
        })
        .nullish(),
    }),
  ),
})
type Conversation = z.output<typeof conversation>
type Interaction = Conversation['interactions'][number]

const CHANNELS: Readonly<Record<string, string>> = { AUDIO: 'phone', TEXT: 'chat' }

function tell(call: Conversation): ToldCall {
  const began = call.startTime ?? earliest(call.interactions.map(({ createTime }) => createTime))
  return {
    speeches: call.interactions.flatMap(one => speechesOf(one, began)),
    fields: {
      session_id: call.name.split('/').at(-1),
      // Who answers is the virtual agent, which its name holds by its id.
      agent_name: /\/agents\/([^/]{1,200})\//.exec(call.name)?.[1],
      created_dt: instantOf(began),
      channel: CHANNELS[call.type ?? ''],
      language_primary: call.languageCode,
      talk_patterns: lasting(call.duration),
    },
    metadata: {
      flows: call.flows?.flatMap(({ displayName }) => displayName ?? []),
      environment: call.environment?.displayName,
      audio_length_seconds: call.type === 'AUDIO' ? call.duration : undefined,
    },
  }
}

function speechesOf(
  { createTime, requestUtterances, responseUtterances, request, response }: Interaction,
  began: number | undefined,
): readonly Speech[] {
  const { queryResult: result } = response ?? {}
  const asked = requestUtterances ?? result?.transcript ?? result?.text ?? request?.queryInput?.text?.text
  const answered = responseUtterances ?? result?.responseMessages?.flatMap(one => one.text?.text ?? []).join('\n')
  const at = { start: since(began, createTime), end: undefined }
  return [
    { speaker: 'customer', role: 'customer', text: asked ?? '', ...at },
    { speaker: 'bot', role: 'bot', text: answered ?? '', ...at },
  ]
}

/** Conversations of Dialogflow CX, as its history gives them. */
export const dialogflow = documentFormat({
  name: 'dialogflow-cx',
  title: 'Dialogflow CX conversation history JSON',
  page: {
    recognised: 'JSON with `interactions[].response` or `interactions[].requestUtterances`, and `name`',
    documented: [
      'https://cloud.google.com/dialogflow/cx/docs/reference/rest/v3beta1/projects.locations.agents.conversations',
    ],
    agent: 'the virtual agent answers',
    taken:
      'the last part of `name` → session_id, the id of the agent in it → agent_name; `startTime`, `duration`, language; `type` → channel; what was asked and answered with the time of the interaction; flows and environment → session_metadata',
    lost: 'intents, parameters, pages, metrics, feedback',
  },
  marks: [
    ['interactions[].requestUtterances', 'name'],
    ['interactions[].response.queryResult', 'name'],
    ['interactions[].request.queryInput', 'name'],
  ],
  schema: conversation,
  tell,
  missing,
})
