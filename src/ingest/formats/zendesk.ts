import { z } from 'zod'
import type { Role } from './conversation/speech.js'
import { documentFormat, type Told } from './documents/document-format.js'
import { id, text } from './documents/fields.js'
import { earliest, instantMs, instantOf, since } from './documents/times.js'
import { missing } from './missing.js'
import { loadHtmlText } from './written/html-text.js'

const user = z.object({ id, name: text, role: text })
const comments = z
  .array(
    z.object({
      author_id: id,
      body: text,
      plain_body: text,
      html_body: text,
      public: z.boolean().nullish(),
      created_at: instantMs,
      via: z.object({ channel: text }).nullish(),
    }),
  )
  .nullish()
const ticket = z.object({
  id,
  subject: text,
  created_at: instantMs,
  requester_id: id,
  submitter_id: id,
  assignee_id: id,
  group_id: id,
  status: text,
  priority: text,
  tags: z.array(z.string()).nullish(),
  via: z.object({ channel: text }).nullish(),
  satisfaction_rating: z.object({ score: text }).nullish(),
  comments,
  requester: user.nullish(),
  assignee: user.nullish(),
})

/** What is read of a ticket with its comments, however they were put together; the names are Zendesk's. */
const given = ticket.extend({ ticket: ticket.nullish(), users: z.array(user).nullish(), next_page: text })
type Given = z.output<typeof given>

const ROLES: Readonly<Record<string, Role>> = { 'end-user': 'customer', agent: 'agent', admin: 'agent' }
const CHANNELS: Readonly<Record<string, string>> = { email: 'email', voice: 'phone', sms: 'sms' }

function tell(document: Given, htmlText: (html: string) => string): Told {
  if (document.next_page !== undefined)
    return 'is a page of comments, and more follow: put all of a ticket into one file'
  const about = document.ticket ?? document
  const said = (document.comments ?? about.comments ?? []).filter(({ public: isPublic }) => isPublic !== false)
  const people = peopleOf(document)
  const roleOf = (author: string | undefined): Role | undefined => {
    const told = ROLES[people.get(author)?.role ?? '']
    if (told !== undefined || about.requester_id === undefined) return told
    return author === about.requester_id ? 'customer' : 'agent'
  }
  const began = about.created_at ?? earliest(said.map(({ created_at: at }) => at))
  const agents = [...new Set(said.map(({ author_id: author }) => author))].filter(author => roleOf(author) === 'agent')
  const [agent = about.assignee_id] = agents
  const named = agents.length > 1 && agents.includes(about.assignee_id ?? '') ? about.assignee_id : agent
  return {
    speeches: said.map(({ author_id: author, plain_body: plain, body, html_body: html, created_at: at }) => {
      const role = roleOf(author)
      return {
        speaker: people.get(author)?.name ?? (role === 'customer' ? role : author),
        role,
        text: plain ?? body ?? htmlText(html ?? ''),
        start: since(began, at),
        end: undefined,
      }
    }),
    fields: {
      session_id: about.id,
      agent_id: named,
      agent_name: people.get(named)?.name ?? named,
      customer_display_name: people.get(about.requester_id)?.name,
      created_dt: instantOf(began),
      title: about.subject,
      channel: CHANNELS[about.via?.channel ?? said[0]?.via?.channel ?? ''] ?? 'chat',
    },
    metadata: {
      group_id: about.group_id,
      status: about.status,
      priority: about.priority,
      tags: about.tags,
      satisfaction: about.satisfaction_rating?.score,
    },
  }
}

function peopleOf({ users, ticket: inner, requester, assignee }: Given) {
  const all = [...(users ?? []), requester, assignee, inner?.requester, inner?.assignee]
  return new Map(all.flatMap(one => (one === null || one === undefined ? [] : [[one.id, one] as const])))
}

/** Zendesk: tickets with their comments. */
export const zendesk = documentFormat({
  name: 'zendesk',
  title: 'Zendesk ticket JSON, with its comments',
  page: {
    recognised: 'JSON with `comments[].author_id`, at the top or in `ticket`',
    documented: [
      'https://developer.zendesk.com/api-reference/ticketing/tickets/ticket_comments/',
      'https://developer.zendesk.com/api-reference/ticketing/tickets/tickets/',
    ],
    agent: '`users[].role`, else whoever is not the requester',
    taken:
      '`id` → session_id; who answered, else the assignee → agent_id and agent_name; the requester’s name; `created_at` and the times of comments; `via.channel` → channel, chat where it says none of ours; subject → title; group, status, priority, tags and satisfaction → session_metadata',
    lost: 'internal notes, attachments, fields of your own, layout of the text',
  },
  marks: [['comments[].author_id'], ['ticket.comments[].author_id']],
  schema: given,
  load: loadHtmlText,
  tell,
  missing,
})
