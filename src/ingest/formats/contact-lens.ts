import { z } from 'zod'
import { documentFormat, type ToldCall } from './documents/document-format.js'
import type { Role, Speech } from './conversation/speech.js'
import { text } from './documents/fields.js'
import { seconds, talkCharacteristics, talkPatterns } from './amazon/talk-characteristics.js'
import { missing } from './missing.js'

/** What is read of an output file; the names are Amazon's. */
const output = z.object({
  Version: z.string().optional(),
  AccountId: z.string().optional(),
  Channel: z.string().optional(),
  JobStatus: z.string().optional(),
  LanguageCode: z.string().optional(),
  /** Of the transcript of a chat, which Contact Lens has no part in. */
  ContactId: z.string().optional(),
  CustomerMetadata: z.object({ ContactId: z.string().optional(), InstanceId: z.string().optional() }).optional(),
  Participants: z.array(z.object({ ParticipantId: z.string(), ParticipantRole: z.string().optional() })).optional(),
  Categories: z.object({ MatchedCategories: z.array(z.string()).optional() }).optional(),
  ConversationCharacteristics: talkCharacteristics.optional(),
  Transcript: z.array(
    z.object({
      ParticipantId: z.string().optional(),
      ParticipantRole: z.string().optional(),
      DisplayName: text,
      Type: z.string().optional(),
      ContentType: z.string().optional(),
      Content: z.string().optional(),
      BeginOffsetMillis: z.number().optional(),
      EndOffsetMillis: z.number().optional(),
      /** Chats have these in place of offsets. */
      AbsoluteTime: z.iso.datetime({ offset: true }).optional(),
    }),
  ),
})
type Output = z.output<typeof output>

const ROLES: Readonly<Record<string, Role>> = {
  AGENT: 'agent',
  SUPERVISOR: 'agent',
  CUSTOMER: 'customer',
  CUSTOM_BOT: 'bot',
  SYSTEM: 'system',
}
const CHANNELS: Readonly<Record<string, string>> = { VOICE: 'phone', CHAT: 'chat', EMAIL: 'email' }

function tell(contact: Output): ToldCall | string {
  const { JobStatus: status = 'COMPLETED', CustomerMetadata: customer, ConversationCharacteristics: talk } = contact
  if (status !== 'COMPLETED') return 'is the output of an analysis that was not completed (JobStatus)'
  const began = contact.Transcript.find(({ AbsoluteTime: at }) => at !== undefined)?.AbsoluteTime
  return {
    speeches: speechesOf(contact, began),
    fields: {
      session_id: customer?.ContactId ?? contact.ContactId,
      created_dt: began,
      channel: CHANNELS[contact.Channel ?? ''] ?? (began === undefined ? undefined : 'chat'),
      language_primary: contact.LanguageCode,
      talk_patterns: talkPatterns(talk),
    },
    metadata: {
      account_id: contact.AccountId,
      instance_id: customer?.InstanceId,
      categories: contact.Categories?.MatchedCategories,
      contact_summary: talk?.ContactSummary?.PostContactSummary?.Content,
      audio_length_seconds: seconds(talk?.TotalConversationDurationMillis),
    },
  }
}

function speechesOf(contact: Output, began: string | undefined): readonly Speech[] {
  const roles = new Map(contact.Participants?.map(({ ParticipantId: id, ParticipantRole: role }) => [id, role]))
  return contact.Transcript.filter(isSaid).map(turn => {
    const { ParticipantId: id, Content: said = '', AbsoluteTime: at } = turn
    const since = at === undefined || began === undefined ? undefined : Date.parse(at) - Date.parse(began)
    const start = turn.BeginOffsetMillis ?? since
    const word = turn.ParticipantRole ?? roles.get(id ?? '')
    const role = ROLES[word ?? '']
    return {
      speaker: turn.DisplayName ?? word ?? id,
      role,
      text: said,
      start: seconds(start),
      end: seconds(turn.EndOffsetMillis),
    }
  })
}

/** Who came and went, and menus in JSON, are not what was said. */
function isSaid({ Type: type, ContentType: kind = 'text/plain' }: Output['Transcript'][number]): boolean {
  return type !== 'EVENT' && kind.startsWith('text/')
}

/** Output files of Amazon Connect Contact Lens, for calls and chats, original or redacted; and Connect's own transcripts of chats. */
export const contactLens = documentFormat({
  name: 'contact-lens',
  title: 'Amazon Connect Contact Lens output JSON, and chat transcripts of Amazon Connect',
  page: {
    recognised: 'JSON with `Transcript` and `Participants` or `CustomerMetadata`',
    documented: [
      'https://docs.aws.amazon.com/connect/latest/adminguide/contact-lens-example-output-files.html',
      'https://docs.aws.amazon.com/connect-participant/latest/APIReference/API_Item.html',
    ],
    agent: '`ParticipantRole` of the participants, or of the item',
    taken:
      '`CustomerMetadata.ContactId`, else `ContactId` → session_id; names of senders (`DisplayName`) of chats; `LanguageCode`, `Channel`; turns with times; talk times, interruptions and silence → talk_patterns; matched categories and the contact summary → session_metadata. Chats: created_dt and times from `AbsoluteTime`',
    lost: 'sentiment, loudness, issues, points of interest, positions of redactions, attachments, events, menus of chats',
  },
  marks: [
    ['Transcript[].ParticipantId'],
    ['Transcript', 'Participants[].ParticipantId'],
    ['Transcript', 'CustomerMetadata'],
    ['Transcript', 'ConversationCharacteristics', '!Transcript[].ParticipantRole'],
  ],
  schema: output,
  tell,
  missing,
})
