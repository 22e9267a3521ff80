/** What is handed to a socket at once: what waits there for a slow reader is not ours to take back. */
export const PIECE_BYTES = 64 * 1024

/** Bytes in pieces of so many. */
export function* piecesOf(bytes: Uint8Array, most = PIECE_BYTES): Generator<Uint8Array> {
  for (let from = 0; from < bytes.byteLength; from += most) yield bytes.subarray(from, from + most)
}

/** A text in pieces of so many UTF-16 units or one more: none ends within a character, half of which would be another one. */
export function* textPieces(text: string, units: number): Generator<string> {
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = from + units
    if (text.codePointAt(to - 1)! > 0xffff) to += 1
    yield text.slice(from, to)
  }
}
