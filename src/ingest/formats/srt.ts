import { subtitleFormat } from './subtitles/subtitle-format.js'

const FIRST_CUE = /^\s*\d+\s*(?:\r\n|\n|\r)\s*\d{1,4}:\d{1,2}:\d{1,2}[,.]\d{1,3}\s*-->/

/** SubRip subtitles with names before what is said. */
export const srt = subtitleFormat({
  name: 'srt',
  title: 'SRT subtitles that name who speaks',
  recognises: ({ head, path }) => FIRST_CUE.test(head) || /\.srt(?:\.gz|\.zst)?$/i.test(path ?? ''),
})
