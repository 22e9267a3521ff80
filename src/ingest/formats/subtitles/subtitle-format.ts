import { utf8Text, wholeFormat, type WholeTold } from '../documents/whole-format.js'
import type { Format } from '../format.js'
import { CueFault } from './cue.js'
import { parseCues } from './parse-cues.js'
import { speechesOfCues } from './speeches-of-cues.js'

/** A format of subtitles: a file is a call, its place the id. */
export function subtitleFormat(definition: Pick<Format, 'name' | 'title' | 'page' | 'recognises'>): Format {
  return wholeFormat({ ...definition, tell })
}

function tell(bytes: Uint8Array): readonly WholeTold[] {
  const read = utf8Text(bytes)
  if ('fault' in read) return [read]
  try {
    return [{ speeches: speechesOfCues(parseCues(read.text)), fields: { channel: 'phone' }, metadata: {} }]
  } catch (error) {
    if (!(error instanceof CueFault)) throw error
    return [{ line: error.line, fault: error.message }]
  }
}
