import { Problem } from '../base/problem.js'
import { SecretBox } from '../base/secret-box.js'
import { canonicalJson } from './canonical-json.js'
import type { Caller } from './caller.js'

/** Longest cursor, in characters: what arguments named cursor take. */
const LONGEST_CURSOR = 4_096

/** Cursors of one caller: the shape in which questions use them. */
export interface CallerCursors {
  seal(question: string, input: object, position: unknown): string
  open(question: string, input: object, cursor: string): unknown
}

/**
 * Seals where a list goes on. The position is encrypted; question, arguments, project and credential are authenticated
 * with it, so a cursor opens only for the query it was made for.
 */
export class CursorSeal {
  readonly #box: SecretBox

  /** @param secret 32 bytes in base64url @throws Error for any other length */
  constructor(secret: string) {
    this.#box = new SecretBox(secret)
  }

  /** The cursors of one caller. */
  of(caller: Caller): CallerCursors {
    return {
      seal: (question, input, position) => this.#seal(binding(question, input, caller), position),
      open: (question, input, cursor) => this.#open(binding(question, input, caller), cursor),
    }
  }

  #seal(bound: string, position: unknown): string {
    const cursor = this.#box.seal(JSON.stringify(position), bound)
    if (cursor.length > LONGEST_CURSOR)
      throw new Error(`A cursor of ${cursor.length} characters would not be taken back`)
    return cursor
  }

  #open(bound: string, cursor: string): unknown {
    const position = cursor.length > LONGEST_CURSOR ? undefined : this.#box.open(cursor, bound)
    if (position === undefined) throw new Problem('invalid_input', 'Cursor belongs to another query')
    return JSON.parse(position) as unknown
  }
}

/** All that must be the same when a cursor comes back: everything but the cursor itself. */
function binding(question: string, input: object, caller: Caller): string {
  const { cursor: _, ...rest } = input as { readonly cursor?: unknown }
  return canonicalJson([question, rest, caller.project_id, caller.source, caller.credential_id])
}
