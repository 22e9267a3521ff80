import { z } from 'zod'
import type { Role } from './conversation/speech.js'
import { documentFormat, type ToldCall } from './documents/document-format.js'
import { id, number, text } from './documents/fields.js'
import { earliest, instantMs, instantOf, since } from './documents/times.js'
import { missing } from './missing.js'
import { loadHtmlText } from './written/html-text.js'

const author = z.object({ type: text, id, name: text, email: text }).nullish()
const part = z.object({ part_type: text, body: text, created_at: instantMs, author })

/** What is read of a conversation; the names are Intercom's. */
const conversation = z.object({
  id,
  title: text,
  created_at: instantMs,
  admin_assignee_id: id,
  team_assignee_id: id,
  state: text,
  priority: text,
  source: z.object({ type: text, body: text, subject: text, author, delivered_as: text }).nullish(),
  tags: z.object({ tags: z.array(z.object({ name: text })).nullish() }).nullish(),
  conversation_rating: z.object({ rating: number }).nullish(),
  conversation_parts: z.object({ conversation_parts: z.array(part) }).nullish(),
})
type Conversation = z.output<typeof conversation>

const ROLES: Readonly<Record<string, Role>> = {
  admin: 'agent',
  bot: 'bot',
  user: 'customer',
  lead: 'customer',
  contact: 'customer',
  team: 'system',
}
const CHANNELS: Readonly<Record<string, string>> = {
  email: 'email',
  sms: 'sms',
  phone_call: 'phone',
  phone_switch: 'phone',
}

function tell(call: Conversation, htmlText: (html: string) => string): ToldCall {
  const { source, conversation_parts: parts } = call
  const first =
    source === null || source === undefined ? [] : [{ ...source, part_type: 'comment', created_at: call.created_at }]
  // What the team writes to itself is no part of the conversation.
  const said = [...first, ...(parts?.conversation_parts ?? [])].filter(
    ({ part_type: kind, body }) => kind?.startsWith('note') !== true && body !== undefined,
  )
  const began = call.created_at ?? earliest(said.map(({ created_at: at }) => at))
  const owner = said.find(
    ({ author: by }) => ROLES[by?.type ?? ''] === 'agent' && by?.name !== undefined && by.id === call.admin_assignee_id,
  )?.author
  return {
    speeches: said.map(({ author: by, body = '', created_at: at }) => {
      const role = ROLES[by?.type ?? '']
      return {
        speaker: by?.name ?? role ?? by?.id,
        role,
        agentId: role === 'agent' ? by?.id : undefined,
        text: htmlText(body),
        start: since(began, at),
        end: undefined,
      }
    }),
    fields: {
      session_id: call.id,
      agent_id: owner?.id,
      agent_name: owner?.name,
      created_dt: instantOf(began),
      title: call.title ?? source?.subject,
      channel: CHANNELS[source?.type ?? ''] ?? 'chat',
      interaction_direction:
        source?.delivered_as === undefined
          ? undefined
          : source.delivered_as === 'customer_initiated'
            ? 'inbound'
            : 'outbound',
    },
    metadata: {
      team_assignee_id: call.team_assignee_id,
      state: call.state,
      priority: call.priority,
      tags: call.tags?.tags?.flatMap(({ name }) => name ?? []),
      rating: call.conversation_rating?.rating,
    },
  }
}

/** Intercom: conversations, with their parts. */
export const intercom = documentFormat({
  name: 'intercom',
  title: 'Intercom conversation JSON, with its parts',
  page: {
    recognised: 'JSON with `conversation_parts`',
    documented: ['https://developers.intercom.com/docs/references/rest-api/api.intercom.io/conversations/conversation'],
    agent: '`author.type`: admin is the agent; bot, where no admin writes',
    taken:
      '`id` → session_id; names of authors, the admin’s id → agent_id (of several who write, whoever it is assigned to, else who writes most); `created_at` and the times of parts; `source` → the first turn, channel and direction; title; team, state, priority, tags and rating → session_metadata',
    lost: 'notes of the team, attachments, layout of the text',
  },
  marks: [['conversation_parts.conversation_parts'], ['type=conversation', 'conversation_parts']],
  schema: conversation,
  load: loadHtmlText,
  tell,
  missing,
})
