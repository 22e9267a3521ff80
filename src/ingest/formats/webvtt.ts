import { subtitleFormat } from './subtitles/subtitle-format.js'

/** WebVTT with voice tags, or with names before what is said. */
export const webvtt = subtitleFormat({
  name: 'webvtt',
  title: 'WebVTT subtitles that name who speaks',
  recognises: ({ head, path }) => /^WEBVTT(?:\s|$)/.test(head) || /\.vtt(?:\.gz|\.zst)?$/i.test(path ?? ''),
})
