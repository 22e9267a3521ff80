import { z } from 'zod'
import { seconds, talkCharacteristics, talkPatterns } from './amazon/talk-characteristics.js'
import type { Role } from './conversation/speech.js'
import { documentFormat, type Told } from './documents/document-format.js'
import { id, text } from './documents/fields.js'
import { milliseconds } from './documents/times.js'
import { missing } from './missing.js'

/** What is read of the output of a job; the names are Amazon's. */
const output = z.object({
  JobName: id,
  JobStatus: text,
  AccountId: id,
  LanguageCode: text,
  Categories: z.object({ MatchedCategories: z.array(z.string()).nullish() }).nullish(),
  ConversationCharacteristics: talkCharacteristics.optional(),
  Transcript: z.array(
    z.object({ ParticipantRole: text, Content: text, BeginOffsetMillis: milliseconds, EndOffsetMillis: milliseconds }),
  ),
})

const ROLES: Readonly<Record<string, Role>> = { AGENT: 'agent', CUSTOMER: 'customer', SYSTEM: 'system' }

function tell(call: z.output<typeof output>): Told {
  const { JobStatus: status = 'COMPLETED', ConversationCharacteristics: talk } = call
  if (status !== 'COMPLETED') return 'is the output of an analysis that was not completed (JobStatus)'
  return {
    speeches: call.Transcript.map(
      ({ ParticipantRole: who, Content: said, BeginOffsetMillis: start, EndOffsetMillis: end }) => {
        const role = ROLES[who ?? '']
        return { speaker: role ?? who, role, text: said ?? '', start, end }
      },
    ),
    fields: {
      session_id: call.JobName,
      channel: 'phone',
      language_primary: call.LanguageCode,
      talk_patterns: talkPatterns(talk),
    },
    metadata: {
      account_id: call.AccountId,
      categories: call.Categories?.MatchedCategories,
      contact_summary: talk?.ContactSummary?.PostContactSummary?.Content,
      audio_length_seconds: seconds(talk?.TotalConversationDurationMillis),
    },
  }
}

/** Output files of Amazon Transcribe Call Analytics. */
export const callAnalytics = documentFormat({
  name: 'call-analytics',
  title: 'Amazon Transcribe Call Analytics output JSON',
  page: {
    recognised: 'JSON with `Transcript[].ParticipantRole`, without the ids of participants that Contact Lens has',
    documented: ['https://docs.aws.amazon.com/transcribe/latest/dg/tca-output-batch.html'],
    agent: '`ParticipantRole`',
    taken:
      '`JobName` → session_id; `LanguageCode`; turns with times; talk times, interruptions and silence → talk_patterns; matched categories and the summary → session_metadata',
    lost: 'sentiment, loudness, issues, items, points of interest',
  },
  marks: [
    [
      'Transcript[].ParticipantRole',
      '!Transcript[].ParticipantId',
      '!Participants[].ParticipantId',
      '!CustomerMetadata',
    ],
  ],
  schema: output,
  tell,
  missing,
})
