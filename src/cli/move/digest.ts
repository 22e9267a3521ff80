import { createHash } from 'node:crypto'
import { canonicalJson } from '../../access/canonical-json.js'

const BYTES = 32
const MODULUS = 1n << BigInt(BYTES * 8)

/** SHA-256 of a row in the one spelling that both stores' rows have. */
export const hashOf = (row: object): string => createHash('sha256').update(canonicalJson(row)).digest('hex')

/** Of rows in whatever order: how many there are, and the sum of their hashes. */
export class Digest {
  rows = 0
  #sum = 0n

  add(hash: string): void {
    this.rows += 1
    this.#sum = (this.#sum + BigInt(`0x${hash}`)) % MODULUS
  }

  toString(): string {
    return this.#sum.toString(16).padStart(BYTES * 2, '0')
  }
}
