import { table } from '../print.js'
import { isMoved, type MovedPartReport } from './move-store.js'

/** Digits of a sum that a reader compares; --json says all. */
const SHOWN = 16

interface MoveReport {
  readonly equal: boolean
  readonly parts: readonly MovedPartReport[]
  /** Files of secrets that are others on the server. */
  readonly other_secrets: readonly string[]
}

/** What a move came to, for a reader: each part with the sums of both sides. */
export function moveLines({ equal, parts: moved, other_secrets: others }: MoveReport): string {
  const rows = moved.map(one => [
    one.part,
    String(one.rows),
    one.digest.slice(0, SHOWN),
    String(one.rows_there),
    one.digest_there.slice(0, SHOWN),
    isMoved(one) ? 'equal' : 'DIFFERS',
  ])
  const parts = table(['part', 'rows', 'sum of hashes', 'rows there', 'sum there', ''], rows)
  const end = equal
    ? 'Everything is in both, as it was.'
    : 'Not everything is as it was. Begin again with nothing else at work on either store; what was erased meanwhile has to be erased there too, or the move begun in a new store.'
  const anew =
    others.length === 0
      ? ''
      : `On the server ${others.join(', ')} ${others.length === 1 ? 'is another' : 'are others'}: cursors, sessions and admin tokens that were given out end, as far as they hang on it.\n`
  return `${parts}\n${end}\n${anew}`
}
