import { z } from 'zod'
import { joinSpeeches } from './conversation/join-speeches.js'
import { documentFormat, type ToldCall } from './documents/document-format.js'
import { text } from './documents/fields.js'
import { clock } from './documents/times.js'
import { missing } from './missing.js'

/** What is read of a transcript of Stream; the names are Microsoft's. */
const transcript = z.object({
  entries: z.array(
    z.object({ text, speakerDisplayName: text, startOffset: clock, endOffset: clock, spokenLanguageTag: text }),
  ),
})

function tell({ entries }: z.output<typeof transcript>): ToldCall {
  return {
    speeches: joinSpeeches(
      entries.map(({ speakerDisplayName: speaker, text: said = '', startOffset: start, endOffset: end }) => {
        return { speaker, text: said, start, end }
      }),
    ),
    fields: {
      channel: 'phone',
      language_primary: entries.find(one => one.spokenLanguageTag !== undefined)?.spokenLanguageTag,
    },
    metadata: {},
  }
}

/** Microsoft Teams: the transcript of a recording as Stream keeps it. */
export const teams = documentFormat({
  name: 'teams',
  title: 'Microsoft Teams transcript JSON (Stream)',
  page: {
    recognised: 'JSON with `entries[].speakerDisplayName`',
    documented: [
      'http://stream.office.com/schemas/transcript.json',
      'https://learn.microsoft.com/en-us/graph/api/calltranscript-get',
    ],
    agent: 'who greets first, or `--agent-speaker "Ann Lee"`',
    taken: '`speakerDisplayName`, text and times, joined to turns; `spokenLanguageTag`',
    lost: 'confidence, rooms, events; the transcript does not say when the call was',
  },
  marks: [['entries[].speakerDisplayName'], ['entries[].startOffset', 'entries[].endOffset']],
  schema: transcript,
  tell,
  missing,
})
