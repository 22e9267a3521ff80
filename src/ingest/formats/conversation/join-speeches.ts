import type { Speech } from './speech.js'

/** A pause up to this long, seconds, does not end a turn; longer ones stay visible between turns. */
const PAUSE = 1.5

/**
 * Turns from the pieces that subtitles, words and short segments are: what one speaker says without a longer pause.
 * The pieces are in the order of their start.
 */
export function joinSpeeches(pieces: readonly Speech[]): readonly Speech[] {
  const joined: (Omit<Speech, 'text'> & { texts: string[]; end: number | undefined })[] = []
  for (const { text, attached = false, ...piece } of pieces) {
    const last = joined.at(-1)
    if (last !== undefined && attached) last.texts.push(text)
    else if (last === undefined || last.speaker !== piece.speaker || pauses(last, piece)) {
      joined.push({ ...piece, texts: [text] })
    } else {
      last.texts.push(` ${text}`)
      last.end = later(last.end, piece.end)
    }
  }
  // Joined once: a turn of many words would be copied with each of them.
  return joined.map(({ texts, ...piece }) => ({ ...piece, text: texts.join('') }))
}

function pauses(last: Pick<Speech, 'start' | 'end'>, next: Pick<Speech, 'start'>): boolean {
  const end = last.end ?? last.start
  return end !== undefined && next.start !== undefined && next.start - end > PAUSE
}

function later(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (b ?? a) : Math.max(a, b)
}
