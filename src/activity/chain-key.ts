import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto'

/** In the data directory, where secrets are kept; not among the files it seals. */
export const CHAIN_KEY_FILE = 'audit-chain.key'

/** Hex digits of a line's seal: 128 bits. */
const MAC_LENGTH = 32

/** What stands before the 32 bytes of an Ed25519 seed in PKCS #8 (RFC 8410, section 7). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** What the audit trail is sealed and signed with, derived from one secret of the installation (HKDF, RFC 5869). */
export class ChainKey {
  readonly #lines: Buffer
  readonly #private: KeyObject
  /** The public half of what signs heads of segments: raw, in base64url. */
  readonly publicKey: string

  constructor(secret: string) {
    const derive = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', `earshot audit ${use}`, 32))
    this.#lines = derive('lines')
    const key = Buffer.concat([PKCS8_ED25519, derive('heads')])
    this.#private = createPrivateKey({ key, format: 'der', type: 'pkcs8' })
    this.publicKey = createPublicKey(this.#private).export({ format: 'jwk' }).x ?? ''
  }

  /** The seal of a line: over the seal of the line before it and its own bytes up to where its seal stands. */
  mac(previous: string, text: string | Buffer): string {
    return createHmac('sha256', this.#lines).update(previous).update(text).digest('hex').slice(0, MAC_LENGTH)
  }

  /** The Ed25519 signature of a text, in base64url. */
  sign(text: string): string {
    return sign(null, Buffer.from(text), this.#private).toString('base64url')
  }

  isSigned(text: string, signature: string): boolean {
    return verify(null, Buffer.from(text), createPublicKey(this.#private), Buffer.from(signature, 'base64url'))
  }
}

export function sameMac(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
