import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { errorCode } from './error-code.js'
import { Problem } from './problem.js'

/** Milliseconds between two looks at the files: they are replaced every few weeks, and by renaming, which no notice of the system survives. */
const LOOK_MS = 1_000
/** Milliseconds behind the last change until both are read: whoever renews them writes one after the other. */
const SETTLE_MS = 1_000

/** What a listener shows its clients. */
export interface Shown {
  /** The chain, as PEM. */
  readonly cert: string
  readonly key: string
}

interface CertificateFiles {
  readonly certFile: string
  readonly keyFile: string
}

/** The certificate that listeners show, from files that are read again when they change. */
export class Certificate {
  readonly #files: CertificateFiles
  readonly #taken = new Set<(shown: Shown) => void>()
  #shown: Shown
  #endsAt: Date
  #settling: NodeJS.Timeout | undefined

  /** @throws Problem for the operator, for what can't be shown; one that has ended can */
  constructor(files: CertificateFiles) {
    this.#files = files
    const { shown, endsAt } = read(files)
    this.#shown = shown
    this.#endsAt = endsAt
  }

  get shown(): Shown {
    return this.#shown
  }

  /** When clients no longer believe it. */
  get endsAt(): Date {
    return this.#endsAt
  }

  /** Hears of a new one. */
  onChange(listener: (shown: Shown) => void): void {
    this.#taken.add(listener)
  }

  /**
   * Looks at the files from now on. New connections are shown what they hold then; what can't be shown, or has ended while the one
   * in use has not, is not taken.
   */
  watch(heard: { readonly taken: (endsAt: Date) => void; readonly refused: (why: string) => void }): void {
    const look = () => {
      clearTimeout(this.#settling)
      this.#settling = setTimeout(() => this.#take(heard), SETTLE_MS)
      this.#settling.unref()
    }
    for (const file of filesOf(this.#files)) watchFile(file, { interval: LOOK_MS, persistent: false }, look)
  }

  close(): void {
    clearTimeout(this.#settling)
    for (const file of filesOf(this.#files)) unwatchFile(file)
  }

  #take({ taken, refused }: Parameters<Certificate['watch']>[0]): void {
    try {
      const { shown, endsAt } = read(this.#files)
      if (shown.cert === this.#shown.cert && shown.key === this.#shown.key) return
      if (endsAt.getTime() <= Date.now() && this.#endsAt.getTime() > Date.now()) {
        refused(`It ended at ${endsAt.toISOString()}`)
        return
      }
      for (const listener of this.#taken) listener(shown)
      this.#shown = shown
      this.#endsAt = endsAt
      taken(endsAt)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      refused(error.message)
    }
  }
}

const filesOf = ({ certFile, keyFile }: CertificateFiles) => [certFile, keyFile]

/** @throws Problem `invalid_input` for the operator */
function read({ certFile, keyFile }: CertificateFiles): { readonly shown: Shown; readonly endsAt: Date } {
  const shown = { cert: textOf('EARSHOT_TLS_CERT', certFile), key: textOf('EARSHOT_TLS_KEY', keyFile) }
  const certificate = understood('EARSHOT_TLS_CERT', certFile, 'certificate', () => new X509Certificate(shown.cert))
  const key = understood('EARSHOT_TLS_KEY', keyFile, 'private key', () => createPrivateKey(shown.key))
  if (!certificate.checkPrivateKey(key)) {
    throw wrong(
      `EARSHOT_TLS_KEY (${keyFile}) is not the key of the first certificate in EARSHOT_TLS_CERT (${certFile})`,
    )
  }
  // Also the rest of the chain, and what the library asks of a key.
  understood('EARSHOT_TLS_CERT', certFile, 'chain of certificates', () => createSecureContext(shown))
  return { shown, endsAt: new Date(certificate.validTo) }
}

function textOf(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw wrong(`${variable}: ${file} can't be read (${errorCode(error) ?? 'no reason given'})`)
  }
}

function understood<T>(variable: string, file: string, what: string, parse: () => T): T {
  try {
    return parse()
  } catch {
    // The library's words may hold part of the file.
    throw wrong(`${variable}: ${file} holds no ${what} as PEM that can be used without a password`)
  }
}

const wrong = (message: string) => new Problem('invalid_input', message)
