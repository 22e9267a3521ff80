import type { EntryLine } from './entries.js'
import type { Piece, Reject } from './piece.js'

const NEWLINE = 0x0a
/** How the lines of a project's export begin that are no calls; a call record has no such field. */
const ENTRY = Buffer.from('{"entry":"')

/** Whether an input is the export of a project, by its beginning: its settings are its first line. */
export function beginsExport(head: string): boolean {
  return head.startsWith('{"entry":"project",')
}

/** Lines of entries that stand next to each other. */
export interface Entries {
  readonly entries: readonly EntryLine[]
}

/** Takes the entries out of pieces of whole lines, in their order. Pieces of calls alone, most of an export, stay as they are. */
export async function* splitEntries(pieces: AsyncIterable<Piece | Reject>): AsyncGenerator<Piece | Reject | Entries> {
  for await (const piece of pieces) {
    if (!('bytes' in piece)) yield piece
    else yield* split(piece)
  }
}

function* split(piece: Piece): Generator<Piece | Entries> {
  const { file, unended } = piece
  const bytes = Buffer.from(piece.bytes.buffer, piece.bytes.byteOffset, piece.bytes.length)
  if (!bytes.includes(ENTRY)) {
    yield piece
    return
  }
  let entries: EntryLine[] = []
  /** Where calls begin that are not given out yet, and at which line. */
  let kept = 0
  let keptLine = piece.line
  let { line } = piece
  const calls = (end: number): Piece => {
    // What is handed to a worker takes its whole memory along.
    const own = Buffer.allocUnsafeSlow(end - kept)
    bytes.copy(own, 0, kept, end)
    return { ...piece, line: keptLine, bytes: own, unended: unended && end === bytes.length }
  }
  for (let start = 0; start < bytes.length; line += 1) {
    const newline = bytes.indexOf(NEWLINE, start)
    const end = newline === -1 ? bytes.length : newline + 1
    if (bytes.compare(ENTRY, 0, ENTRY.length, start, Math.min(start + ENTRY.length, end)) === 0) {
      if (kept < start) yield calls(start)
      entries.push({ file, line, text: bytes.toString('utf8', start, newline === -1 ? end : newline) })
      kept = end
      keptLine = line + 1
    } else if (entries.length > 0) {
      yield { entries }
      entries = []
    }
    start = end
  }
  if (entries.length > 0) yield { entries }
  else if (kept < bytes.length) yield calls(bytes.length)
}
