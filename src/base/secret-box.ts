import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Seals texts that only this installation may read again, or make (AES-256-GCM, a random nonce each), in base64url. */
export class SecretBox {
  readonly #key: KeyObject

  /** @param secret 32 bytes in base64url @throws Error for any other length */
  constructor(secret: string) {
    const bytes = Buffer.from(secret, 'base64url')
    if (bytes.length !== 32) throw new Error('The key of a secret box must have 32 bytes')
    this.#key = createSecretKey(bytes)
  }

  /** @param bound what the text belongs to; it opens with nothing else */
  seal(text: string, bound: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(bound))
    const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
    return Buffer.concat(parts).toString('base64url')
  }

  /** Undefined when it is not what was sealed, or was sealed with another key or for something else. */
  open(sealed: string, bound: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url')
    // Decoding skips what it can't read; only the exact spelling is one of ours.
    if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== sealed) return undefined
    try {
      const nonce = bytes.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(bound)).setAuthTag(bytes.subarray(-TAG_BYTES))
      return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    } catch {
      return undefined
    }
  }
}
