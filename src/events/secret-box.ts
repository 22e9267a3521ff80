import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts signing secrets, which must be readable again, for the store (AES-256-GCM, a random nonce each). The key is
 * in a file of its own: whoever has only the store, or a copy of it, can sign nothing.
 */
export class SecretBox {
  readonly #key: KeyObject

  /** @param secret 32 bytes in base64url @throws Error for any other length */
  constructor(secret: string) {
    const bytes = Buffer.from(secret, 'base64url')
    if (bytes.length !== 32) throw new Error('The key of signing secrets must have 32 bytes')
    this.#key = createSecretKey(bytes)
  }

  /** @param owner what the secret belongs to; it opens for nothing else */
  seal(secret: string, owner: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(owner))
    const parts = [nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]
    return Buffer.concat(parts).toString('base64url')
  }

  /** Undefined when it was sealed with another key or for another owner. */
  open(sealed: string, owner: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url')
    try {
      const nonce = bytes.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-TAG_BYTES))
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8')
      return text + decipher.final('utf8')
    } catch {
      return undefined
    }
  }
}
