import { z } from 'zod'
import { documentFormat, type ToldCall } from './documents/document-format.js'
import { id, text } from './documents/fields.js'
import { clock, seconds } from './documents/times.js'
import { missing } from './missing.js'

/** What is read of a transcript; the names are Rev's. Rev AI writes seconds, Rev.com times of day. */
const transcript = z.object({
  job_id: id,
  language: text,
  speakers: z.array(z.object({ id, name: text })).nullish(),
  monologues: z.array(
    z.object({
      speaker: id,
      speaker_name: text,
      elements: z.array(
        z.object({ value: z.string().nullish(), ts: seconds, end_ts: seconds, timestamp: clock, end_timestamp: clock }),
      ),
    }),
  ),
})

function tell({ job_id: job, language, speakers, monologues }: z.output<typeof transcript>): ToldCall {
  const names = new Map(speakers?.map(({ id: of, name }) => [of, name]))
  return {
    speeches: monologues.map(({ speaker, speaker_name: name, elements }) => {
      const starts = elements.flatMap(({ ts, timestamp }) => ts ?? timestamp ?? [])
      const ends = elements.flatMap(({ end_ts: end, end_timestamp: ended }) => end ?? ended ?? [])
      return {
        speaker: name ?? names.get(speaker) ?? speaker,
        text: elements.map(({ value }) => value ?? '').join(''),
        start: starts[0],
        end: ends.at(-1),
      }
    }),
    fields: { session_id: job, channel: 'phone', language_primary: language },
    metadata: {},
  }
}

/** Rev AI and Rev.com. */
export const rev = documentFormat({
  name: 'rev',
  title: 'Rev AI or Rev.com transcript JSON',
  page: {
    recognised: 'JSON with `monologues[].elements`',
    documented: ['https://docs.rev.ai/api/asynchronous/transcripts/'],
    agent: 'a name or role in `speakers`, else who greets first, or `--agent-speaker 0`',
    taken:
      'monologues with the times of their first and last word; names of speakers; `language`, `job_id` where they are there',
    lost: 'confidence, times of words, kinds of elements',
  },
  marks: [['monologues[].elements']],
  schema: transcript,
  tell,
  missing,
})
