import { z } from 'zod'
import { joinSpeeches } from './conversation/join-speeches.js'
import { text } from './documents/fields.js'
import { earliest, instantMs, instantOf } from './documents/times.js'
import { utf8Text, wholeFormat, type WholeTold } from './documents/whole-format.js'
import { CueFault } from './subtitles/cue.js'
import { parseCues } from './subtitles/parse-cues.js'
import { isTeamsMetadata } from './teams/teams-metadata.js'

/** What a cue holds; the names are Microsoft Graph's. */
const spoken = z.object({ startDateTime: instantMs, speakerName: text, spokenText: text, spokenLanguage: text })

function tell(bytes: Uint8Array): readonly WholeTold[] {
  const read = utf8Text(bytes)
  if ('fault' in read) return [read]
  try {
    const cues = parseCues(read.text).map(({ lines, line, start, end }) => ({ ...cueOf(lines, line), start, end }))
    const [first] = cues
    const began = earliest(cues.map(({ startDateTime }) => startDateTime))
    return [
      {
        speeches: joinSpeeches(
          cues.map(({ speakerName: speaker, spokenText: said = '', start, end }) => ({
            speaker,
            text: said,
            start,
            end,
          })),
        ),
        fields: {
          // Of the recording: the first words come some time into it.
          created_dt: instantOf(began === undefined ? undefined : began - Math.round((first?.start ?? 0) * 1000)),
          channel: 'phone',
          language_primary: first?.spokenLanguage,
        },
        metadata: {},
      },
    ]
  } catch (error) {
    if (!(error instanceof CueFault)) throw error
    return [{ line: error.line, fault: error.message }]
  }
}

function cueOf(lines: readonly string[], line: number): z.output<typeof spoken> {
  let value: unknown
  try {
    value = JSON.parse(lines.join(' '))
  } catch {
    throw new CueFault(line + 1, 'is not the JSON that a cue of Teams holds')
  }
  const parsed = spoken.safeParse(value)
  if (!parsed.success)
    throw new CueFault(line + 1, 'does not hold what a cue of Teams does: startDateTime, speakerName, spokenText')
  return parsed.data
}

/** Microsoft Teams: the metadata of a transcript, which Graph gives as WebVTT whose cues are JSON. */
export const teamsMetadata = wholeFormat({
  name: 'teams-metadata',
  title: 'Microsoft Teams transcript metadata (WebVTT with JSON cues)',
  page: {
    recognised: '`WEBVTT` with cues that begin `{"startDateTime":`',
    documented: ['https://learn.microsoft.com/en-us/graph/api/calltranscript-get'],
    agent: 'who greets first, or `--agent-speaker "Ann Lee"`',
    taken: '`speakerName`, `spokenText`, times; the first `startDateTime` → created_dt; `spokenLanguage`',
    lost: '`endDateTime`',
  },
  recognises: ({ head }) => isTeamsMetadata(head),
  tell,
})
