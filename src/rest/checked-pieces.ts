import { Readable } from 'node:stream'

/**
 * The pieces of an answer that goes on, each as long as its reader may have it: what they may hear may be changed while they read.
 * @param check throws when they may not any more: then it breaks off
 */
export function checkedPieces(pieces: Readable, check: () => void): Readable {
  const checked = async function* () {
    for await (const piece of pieces as AsyncIterable<string | Buffer>) {
      check()
      yield piece
    }
  }
  // Also where it is never begun to be read.
  return Readable.from(checked(), { objectMode: false }).once('close', () => pieces.destroy())
}
