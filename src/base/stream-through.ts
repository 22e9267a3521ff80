import { Readable, type ReadableOptions } from 'node:stream'

/**
 * A stream of what is made of the pieces of another, which ends with it: also where it is never begun to be read, as a generator that has
 * not begun ends nothing.
 */
export function streamThrough<T>(
  from: Readable,
  make: (pieces: AsyncIterable<T>) => AsyncIterable<unknown>,
  options?: ReadableOptions,
): Readable {
  return Readable.from(make(from), options).once('close', () => from.destroy())
}
