import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { Problem } from '../base/problem.js'
import { canonicalJson } from './canonical-json.js'
import type { Caller } from './caller.js'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Longest cursor, in characters: what arguments named cursor take. */
const LONGEST = 4_096

/** Cursors of one caller: the shape in which questions use them. */
export interface CallerCursors {
  seal(question: string, input: object, position: unknown): string
  open(question: string, input: object, cursor: string): unknown
}

/**
 * Seals where a list goes on (AES-256-GCM, a random nonce each). The position is encrypted; question, arguments,
 * project and credential are authenticated with it, so a cursor opens only for the query it was made for.
 */
export class CursorSeal {
  readonly #key: KeyObject

  /** @param secret 32 bytes in base64url @throws Error for any other length */
  constructor(secret: string) {
    const bytes = Buffer.from(secret, 'base64url')
    if (bytes.length !== 32) throw new Error('The key of cursors must have 32 bytes')
    this.#key = createSecretKey(bytes)
  }

  /** The cursors of one caller. */
  of(caller: Caller): CallerCursors {
    return {
      seal: (question, input, position) => this.#seal(binding(question, input, caller), position),
      open: (question, input, cursor) => this.#open(binding(question, input, caller), cursor),
    }
  }

  #seal(bound: Buffer, position: unknown): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES }).setAAD(bound)
    const sealed = [nonce, cipher.update(JSON.stringify(position), 'utf8'), cipher.final(), cipher.getAuthTag()]
    const cursor = Buffer.concat(sealed).toString('base64url')
    if (cursor.length > LONGEST) throw new Error(`A cursor of ${cursor.length} characters would not be taken back`)
    return cursor
  }

  #open(bound: Buffer, cursor: string): unknown {
    const sealed = Buffer.from(cursor.slice(0, LONGEST + 1), 'base64url')
    // Decoding skips what it can't read; only the exact spelling is a cursor of ours.
    if (sealed.length < NONCE_BYTES + TAG_BYTES || sealed.toString('base64url') !== cursor) throw belongsElsewhere()
    try {
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES }).setAAD(bound)
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
      const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      return JSON.parse(text) as unknown
    } catch {
      throw belongsElsewhere()
    }
  }
}

/** All that must be the same when a cursor comes back: everything but the cursor itself. */
function binding(question: string, input: object, caller: Caller): Buffer {
  const { cursor: _, ...rest } = input as { readonly cursor?: unknown }
  return Buffer.from(canonicalJson([question, rest, caller.project_id, caller.source, caller.credential_id]), 'utf8')
}

function belongsElsewhere(): Problem {
  return new Problem('invalid_input', 'Cursor belongs to another query')
}
