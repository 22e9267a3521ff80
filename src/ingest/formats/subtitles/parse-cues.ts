import { type Cue, CueFault } from './cue.js'

const TIMES =
  /^\s*(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})\s*-->\s*(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})(?:\s.*)?$/
/** Blocks of WebVTT that hold no cue. */
const NO_CUE = /^(?:NOTE|STYLE|REGION)(?:\s|$)/
const EXAMPLE = '00:00:01.000 --> 00:00:04.000'

/**
 * Reads the cues of a WebVTT or SubRip file, in its order. Subtitle libraries were weighed: the kept ones don't say at
 * which line a file is wrong, and drop the cues they can't read without a word.
 *
 * @throws CueFault for a cue without readable times, one that ends before it starts, or a file that was cut off
 */
export function parseCues(text: string): readonly Cue[] {
  const lines = text.split(/\r\n|\n|\r/)
  const cues: Cue[] = []
  let at = lines[0]?.startsWith('WEBVTT') === true ? endOfBlock(lines, 0) : 0
  while (at < lines.length) {
    if (lines[at]?.trim() === '') {
      at += 1
      continue
    }
    const end = endOfBlock(lines, at)
    if (!NO_CUE.test(lines[at] ?? '')) cues.push(cueOf(lines, at, end))
    at = end
  }
  return cues
}

/** The index after the block that begins at `at`: blocks end at an empty line. */
function endOfBlock(lines: readonly string[], at: number): number {
  let end = at
  while (end < lines.length && lines[end]?.trim() !== '') end += 1
  return end
}

function cueOf(lines: readonly string[], from: number, end: number): Cue {
  // The line before the times is the cue's id or number.
  const at = [from, from + 1].find(index => index < end && lines[index]?.includes('-->')) ?? -1
  if (at === -1) {
    const isLast = lines.slice(end).every(line => line.trim() === '')
    const cut = isLast ? ': the file was cut off here, or text stands outside of a cue' : ''
    throw new CueFault(from + 1, `has no times, such as ${EXAMPLE}${cut}`)
  }
  const times = TIMES.exec(lines[at] ?? '')
  if (times === null) throw new CueFault(at + 1, `does not hold the times of a cue, such as ${EXAMPLE}`)
  const [, ...parts] = times
  const start = secondsOf(parts.slice(0, 4))
  const until = secondsOf(parts.slice(4))
  if (until < start) throw new CueFault(at + 1, 'is a cue that ends before it starts')
  return { line: at + 1, start, end: until, lines: lines.slice(at + 1, end) }
}

function secondsOf([hours = '0', minutes = '0', seconds = '0', fraction = '0']: readonly (
  | string
  | undefined
)[]): number {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(`${seconds}.${fraction}`)
}
