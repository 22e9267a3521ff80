import { subtitleFormat } from './subtitles/subtitle-format.js'
import { isTeamsMetadata } from './teams/teams-metadata.js'

/** WebVTT with voice tags, or with names before what is said. */
export const webvtt = subtitleFormat({
  name: 'webvtt',
  title: 'WebVTT subtitles that name who speaks',
  page: {
    recognised: '`WEBVTT` at the beginning, as Zoom and Teams write their transcripts too',
    documented: [
      'https://www.w3.org/TR/webvtt1/',
      'https://support.zoom.com/hc/en/article?id=zm_kb&sysparm_article=KB0065911',
      'https://learn.microsoft.com/en-us/graph/api/calltranscript-get',
    ],
    agent: 'the name or role that each cue gives, else who greets first',
    taken:
      'speakers from `<v Name>`, else from `Name:`, `[Name]`, `(Name)` before the text, which holds until the next; cues of one speaker without a pause of 1.5 s are one turn',
    lost: 'styles, positions, notes, cue ids',
  },
  recognises: file =>
    (/^WEBVTT(?:\s|$)/.test(file.head) || /\.vtt(?:\.gz|\.zst)?$/i.test(file.path ?? '')) &&
    !isTeamsMetadata(file.head),
})
