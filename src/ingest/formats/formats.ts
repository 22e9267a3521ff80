import { assemblyai } from './assemblyai.js'
import { callRecords } from './call-records.js'
import { contactLens } from './contact-lens.js'
import { csvCalls } from './csv-calls.js'
import { csvTurns } from './csv-turns.js'
import { deepgram } from './deepgram.js'
import type { Format } from './format.js'
import { harperValley } from './harper-valley.js'
import { webvtt } from './webvtt.js'
import { whisperx } from './whisperx.js'
import { subtitleFormat } from './subtitles/subtitle-format.js'

const FIRST_CUE = /^\s*\d+\s*(?:\r\n|\n|\r)\s*\d{1,4}:\d{1,2}:\d{1,2}[,.]\d{1,3}\s*-->/

/** SubRip subtitles with names before what is said. */
const srt = subtitleFormat({
  name: 'srt',
  title: 'SRT subtitles that name who speaks',
  recognises: ({ head, path }) => FIRST_CUE.test(head) || /\.srt(?:\.gz|\.zst)?$/i.test(path ?? ''),
})

/**
 * The formats import reads, the more particular ones first: the first that recognises a file reads it. A new format is
 * a file beside this one and a line here.
 */
export const formats: readonly Format[] = [
  harperValley,
  webvtt,
  srt,
  contactLens,
  deepgram,
  assemblyai,
  whisperx,
  csvTurns,
  csvCalls,
  callRecords,
]

/** The format of that name. Throws for a name that is not in the list: callers check against it first. */
export function formatNamed(name: string): Format {
  const format = formats.find(candidate => candidate.name === name)
  if (format === undefined) throw new TypeError(`No import format named ${name}`)
  return format
}
