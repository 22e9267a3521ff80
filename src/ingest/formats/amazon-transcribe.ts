import { z } from 'zod'
import { joinSpeeches } from './conversation/join-speeches.js'
import type { Speech } from './conversation/speech.js'
import { documentFormat, type Told } from './documents/document-format.js'
import { id, text } from './documents/fields.js'
import { textSeconds } from './documents/times.js'
import { missing } from './missing.js'

const item = z.object({
  type: text,
  start_time: textSeconds,
  end_time: textSeconds,
  speaker_label: text,
  channel_label: text,
  alternatives: z.array(z.object({ content: z.string() })).nullish(),
})
type Item = z.output<typeof item>

/** What is read of the output of a job; the names are Amazon's. */
const output = z.object({
  jobName: id,
  accountId: id,
  status: text,
  results: z.object({
    language_code: text,
    items: z.array(item).nullish(),
    speaker_labels: z
      .object({
        segments: z.array(
          z.object({
            speaker_label: text,
            items: z.array(z.object({ start_time: textSeconds, speaker_label: text })).nullish(),
          }),
        ),
      })
      .nullish(),
    channel_labels: z.object({ channels: z.array(z.object({ channel_label: text, items: z.array(item) })) }).nullish(),
  }),
})
type Results = z.output<typeof output>['results']

function tell({ jobName, accountId, status = 'COMPLETED', results }: z.output<typeof output>): Told {
  if (status !== 'COMPLETED') return 'is the output of a job that was not completed (status)'
  return {
    speeches: speechesOf(results),
    fields: { session_id: jobName, channel: 'phone', language_primary: results.language_code },
    metadata: { account_id: accountId },
  }
}

function speechesOf({ items, speaker_labels: told, channel_labels: split }: Results): readonly Speech[] {
  if (split !== null && split !== undefined) {
    return split.channels.flatMap(({ channel_label: label, items: of }) => joined(of, () => label))
  }
  // Older outputs say who spoke in another place than what was said.
  const speakers = new Map(
    told?.segments.flatMap(({ speaker_label: label, items: of }) =>
      (of ?? []).map(one => [one.start_time, one.speaker_label ?? label] as const),
    ),
  )
  return joined(items ?? [], one => one.speaker_label ?? speakers.get(one.start_time))
}

function joined(items: readonly Item[], labelOf: (one: Item) => string | undefined): readonly Speech[] {
  return joinSpeeches(
    items.map(one => ({
      speaker: labelOf(one),
      text: one.alternatives?.[0]?.content ?? '',
      start: one.start_time,
      end: one.end_time,
      attached: one.type === 'punctuation',
    })),
  )
}

/** Amazon Transcribe, with speaker partitioning or channel identification. */
export const amazonTranscribe = documentFormat({
  name: 'amazon-transcribe',
  title: 'Amazon Transcribe output JSON, with speaker partitioning or channel identification',
  page: {
    recognised: 'JSON with `jobName` and `results.transcripts`',
    documented: [
      'https://docs.aws.amazon.com/transcribe/latest/dg/diarization-output-batch.html',
      'https://docs.aws.amazon.com/transcribe/latest/dg/channel-id-output-batch.html',
    ],
    agent: 'who greets first, or `--agent-speaker spk_0` (`ch_0`)',
    taken:
      '`jobName` → session_id; `language_code`; items joined to turns by speaker or channel; `accountId` → session_metadata',
    lost: 'confidence, times of words, other readings',
  },
  marks: [
    ['results.transcripts', 'jobName'],
    ['results.transcripts', 'results.items'],
  ],
  schema: output,
  tell,
  missing,
})
