/** What is handed to a socket at once: what waits there for a slow reader is not ours to take back. */
export const PIECE_BYTES = 64 * 1024

/** Bytes in pieces, of which each is looked at before it leaves. */
export function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.byteLength; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES)
}
