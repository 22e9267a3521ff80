import { subtitleFormat } from './subtitles/subtitle-format.js'

const FIRST_CUE = /^\s*\d+\s*(?:\r\n|\n|\r)\s*\d{1,4}:\d{1,2}:\d{1,2}[,.]\d{1,3}\s*-->/

/** SubRip subtitles with names before what is said. */
export const srt = subtitleFormat({
  name: 'srt',
  title: 'SRT subtitles that name who speaks',
  page: {
    recognised: 'a numbered first cue',
    documented: ['https://www.loc.gov/preservation/digital/formats/fdd/fdd000569.shtml'],
    agent: 'the name or role that each cue gives, else who greets first',
    taken:
      'speakers from `<v Name>`, else from `Name:`, `[Name]`, `(Name)` before the text, which holds until the next; cues of one speaker without a pause of 1.5 s are one turn',
    lost: 'styles, positions, notes, cue ids',
  },
  recognises: ({ head, path }) => FIRST_CUE.test(head) || /\.srt(?:\.gz|\.zst)?$/i.test(path ?? ''),
})
