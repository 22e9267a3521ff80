import { z } from 'zod'
import { parseJson } from '../parse-json.js'
import type { Piece, RawRecord } from '../piece.js'
import type { Role } from './conversation/speech.js'
import { documentFormat, type ToldCall } from './documents/document-format.js'
import { id, text } from './documents/fields.js'
import { earliest, instantMs, instantOf, since } from './documents/times.js'
import { cutWhole } from './documents/whole-format.js'
import { cutJsonRecords, readJsonRecords } from './json-records.js'
import { missing } from './missing.js'

const content = z
  .union([z.string(), z.array(z.object({ type: text, text: z.string().nullish() }))])
  .nullish()
  .transform(value => (Array.isArray(value) ? value.map(one => one.text ?? '').join('\n') : (value ?? '')))

/** What is read of a log: messages with role and content, as chat APIs write them. */
const log = z.object({
  id,
  conversation_id: id,
  session_id: id,
  thread_id: id,
  agent_name: text,
  agent: z.unknown().optional(),
  model: text,
  channel: z.enum(['phone', 'chat', 'email', 'sms']).nullish(),
  language: text,
  created_at: instantMs,
  messages: z.array(
    z.object({
      role: z.string(),
      name: text,
      content,
      timestamp: instantMs,
      created_at: instantMs,
      createdAt: instantMs,
    }),
  ),
})

const ROLES: Readonly<Record<string, Role>> = {
  agent: 'agent',
  human_agent: 'agent',
  assistant: 'bot',
  ai: 'bot',
  bot: 'bot',
  model: 'bot',
  user: 'customer',
  human: 'customer',
  customer: 'customer',
  visitor: 'customer',
  system: 'system',
  developer: 'system',
  tool: 'system',
  function: 'system',
}

function tell(chat: z.output<typeof log>): ToldCall {
  const said = chat.messages.map(one => ({ ...one, at: one.timestamp ?? one.created_at ?? one.createdAt }))
  const began = earliest(said.map(({ at }) => at)) ?? chat.created_at
  return {
    speeches: said.map(({ role: word, name, content: written, at }) => {
      const role = ROLES[word.toLowerCase()]
      return { speaker: name ?? role ?? word, role, text: written, start: since(began, at), end: undefined }
    }),
    fields: {
      session_id: chat.session_id ?? chat.conversation_id ?? chat.thread_id ?? chat.id,
      agent_name: chat.agent_name ?? (typeof chat.agent === 'string' ? chat.agent : undefined),
      created_dt: instantOf(began),
      channel: chat.channel ?? 'chat',
      language_primary: chat.language,
    },
    metadata: { model: chat.model },
  }
}

/** The documents of a piece; a list of messages, or a message a line, is one conversation. */
function* conversations(piece: Piece, mostValues: number): Generator<RawRecord> {
  if (piece.kind !== 'value' || piece.at !== '') {
    yield* readJsonRecords(piece, mostValues)
    return
  }
  const whole = parseJson(piece.bytes, piece.unended, mostValues)
  const here = { line: piece.line, at: piece.at }
  if ('value' in whole) {
    const { value } = whole
    const messages = Array.isArray(value) ? value : 'role' in Object(value) ? [value] : undefined
    yield { ...here, value: messages === undefined ? value : { messages } }
    return
  }
  const lines = [...readJsonRecords({ ...piece, kind: 'lines' }, mostValues)]
  const [first] = lines
  // One document laid out over lines is no line by itself.
  if (first === undefined || 'fault' in first) yield { ...here, fault: whole.fault }
  else {
    yield (
      lines.find(one => 'fault' in one) ?? {
        ...here,
        value: { messages: lines.flatMap(one => ('value' in one ? [one.value] : [])) },
      }
    )
  }
}

/** Chat logs with role and content. */
export const chatLog = documentFormat({
  name: 'chat-log',
  title: 'chat logs: JSON messages with role and content',
  page: {
    recognised: 'JSON with `messages[].role` and `content`, a list of such messages, or one a line',
    documented: ['https://platform.openai.com/docs/api-reference/chat/create'],
    agent: '`role`: agent, else assistant (ai, bot, model); user (human, customer, visitor) is the customer',
    taken:
      '`session_id`, `conversation_id`, `thread_id` or `id` → session_id; `name` of a message, `agent_name` or `agent` → agent_name; `timestamp` or `created_at` of messages → created_dt and times; `model` → session_metadata',
    lost: 'calls of tools, images and other parts that are no text',
  },
  marks: [
    ['messages[].role', 'messages[].content', '!transcript_object', '!conversation_parts'],
    ['role', 'content', '!session_id', '!messages'],
  ],
  schema: log,
  cut: (file, limits) => (file.shape.has('messages') ? cutJsonRecords(file, limits) : cutWhole(file, limits)),
  documents: conversations,
  tell,
  missing,
})
