import { z } from 'zod'
import { joinSpeeches } from './conversation/join-speeches.js'
import type { Speech } from './conversation/speech.js'
import { documentFormat, type ToldCall } from './documents/document-format.js'
import { missing } from './missing.js'

/** Times are milliseconds. */
const said = z.object({
  text: z.string(),
  start: z.number().min(0).nullish(),
  end: z.number().min(0).nullish(),
  speaker: z.string().nullish(),
  channel: z.string().nullish(),
})

/** What is read of a transcript; the names are AssemblyAI's. */
const transcript = z.object({
  id: z.string().nullish(),
  status: z.string().nullish(),
  language_code: z.string().nullish(),
  audio_duration: z.number().min(0).nullish(),
  utterances: z.array(said).nullish(),
  words: z.array(said).nullish(),
})

function tell(call: z.output<typeof transcript>): ToldCall | string {
  if (call.status === 'error') return 'is a transcript that failed (its status is error)'
  if (call.status === 'queued' || call.status === 'processing') return 'is a transcript that is not done yet'
  const { utterances, words, audio_duration: duration } = call
  const hasTurns = utterances !== null && utterances !== undefined && utterances.length > 0
  return {
    speeches: hasTurns ? utterances.map(speechOf) : joinSpeeches((words ?? []).map(speechOf)),
    fields: {
      session_id: call.id,
      channel: 'phone',
      language_primary: call.language_code?.replaceAll('_', '-'),
      talk_patterns: duration === null || duration === undefined ? undefined : { total_duration_s: duration },
    },
    metadata: { audio_length_seconds: duration },
  }
}

function speechOf({ text, start, end, speaker, channel }: z.output<typeof said>): Speech {
  const label = speaker ?? (channel === null || channel === undefined ? undefined : `channel ${channel}`)
  return { speaker: label, text, start: seconds(start), end: seconds(end) }
}

function seconds(milliseconds: number | null | undefined): number | undefined {
  return milliseconds === null || milliseconds === undefined ? undefined : milliseconds / 1000
}

/** AssemblyAI's transcript, with `speaker_labels` or several channels. */
export const assemblyai = documentFormat({
  name: 'assemblyai',
  title: 'AssemblyAI transcript JSON, with speaker_labels or several channels',
  page: {
    recognised: 'JSON with `audio_url`, or with `id`, `words` and `utterances`',
    documented: ['https://www.assemblyai.com/docs/api-reference/transcripts/get'],
    agent: 'who greets first, or `--agent-speaker A`',
    taken: '`id`, `language_code`, `audio_duration`; `utterances`, else words joined to turns',
    lost: 'confidence, words, chapters, highlights, entities, sentiment',
  },
  marks: [['audio_url'], ['utterances', 'words', 'id']],
  schema: transcript,
  tell,
  missing,
})
