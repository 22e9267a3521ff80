import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync, statSync, unwatchFile, watchFile } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { errorCode } from './error-code.js'
import { Problem } from './problem.js'

/** Milliseconds between two looks at the files: they are replaced every few weeks, and by renaming, which no notice of the system survives. */
const LOOK_MS = 1_000
/** Milliseconds behind the last change until both are read: whoever renews them writes one after the other. */
const SETTLE_MS = 1_000
/** Milliseconds until one that does not hold yet is tried again, at most. */
const MOST_WAIT_MS = 3_600_000

/** Kinds of keys that TLS 1.2 and 1.3 agree on, and the curves of those on one: with any other every handshake fails. */
const KINDS: ReadonlySet<string> = new Set(['rsa', 'rsa-pss', 'ed25519', 'ed448'])
const CURVES: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1', 'secp521r1'])

/** Bits of an RSA key, at least: a shorter one the library takes, and browsers, curl and whoever asks for today's security refuse. */
const LEAST_RSA_BITS = 2_048

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

interface Heard {
  readonly taken: (endsAt: Date) => void
  readonly refused: (why: string) => void
}

interface Read {
  readonly shown: Shown
  readonly beginsAt: Date
  readonly endsAt: Date
}

/** The certificate that listeners show, from files that are read again when they change. */
export class Certificate {
  readonly #files: CertificateFiles
  readonly #taken = new Set<(shown: Shown) => void>()
  #read: Read
  #settling: NodeJS.Timeout | undefined

  /** @throws Problem for the operator, for what can't be shown; one that has ended, or not begun, can */
  constructor(files: CertificateFiles) {
    this.#files = files
    this.#read = read(files)
  }

  get shown(): Shown {
    return this.#read.shown
  }

  /** When clients no longer believe it. */
  get endsAt(): Date {
    return this.#read.endsAt
  }

  /** Why clients do not believe it now; undefined where they may. */
  get lapse(): string | undefined {
    return lapseOf(this.#read)
  }

  /** Hears of a new one. */
  onChange(listener: (shown: Shown) => void): void {
    this.#taken.add(listener)
  }

  /**
   * Looks at the files from now on. New connections are shown what they hold then; what can't be shown is not taken,
   * nor what has ended or not begun while the one in use holds.
   */
  watch(heard: Heard): void {
    // What changed before the first look at the files is no change to it.
    this.#takeIn(SETTLE_MS, heard)
    for (const file of filesOf(this.#files)) {
      watchFile(file, { interval: LOOK_MS, persistent: false }, () => this.#takeIn(SETTLE_MS, heard))
    }
  }

  close(): void {
    clearTimeout(this.#settling)
    for (const file of filesOf(this.#files)) unwatchFile(file)
  }

  #takeIn(ms: number, heard: Heard): void {
    clearTimeout(this.#settling)
    this.#settling = setTimeout(() => this.#take(heard), ms)
    this.#settling.unref()
  }

  #take(heard: Heard): void {
    const { taken, refused } = heard
    try {
      const next = read(this.#files)
      const { shown, endsAt } = next
      if (shown.cert === this.shown.cert && shown.key === this.shown.key) return
      const lapse = lapseOf(next)
      if (lapse !== undefined && this.lapse === undefined) {
        refused(lapse)
        const begins = next.beginsAt.getTime() - Date.now()
        if (begins > 0) this.#takeIn(Math.min(begins, MOST_WAIT_MS), heard)
        return
      }
      for (const listener of this.#taken) listener(shown)
      this.#read = next
      taken(endsAt)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      refused(error.message)
    }
  }
}

function lapseOf({ beginsAt, endsAt }: Read): string | undefined {
  if (endsAt.getTime() <= Date.now()) return `it ended at ${endsAt.toISOString()}`
  return beginsAt.getTime() > Date.now() ? `it does not hold before ${beginsAt.toISOString()}` : undefined
}

const filesOf = ({ certFile, keyFile }: CertificateFiles) => [certFile, keyFile]

/** @throws Problem `invalid_input` for the operator */
function read({ certFile, keyFile }: CertificateFiles): Read {
  const shown = { cert: textOf('EARSHOT_TLS_CERT', certFile), key: textOf('EARSHOT_TLS_KEY', keyFile) }
  const certificate = understood('EARSHOT_TLS_CERT', certFile, 'certificate', () => new X509Certificate(shown.cert))
  const key = understood('EARSHOT_TLS_KEY', keyFile, 'private key', () => createPrivateKey(shown.key))
  if (!certificate.checkPrivateKey(key)) {
    throw wrong(
      `EARSHOT_TLS_KEY (${keyFile}) is not the key of the first certificate in EARSHOT_TLS_CERT (${certFile})`,
    )
  }
  refuseUnagreed(keyFile, key)
  const [beginsAt, endsAt] = [new Date(certificate.validFrom), new Date(certificate.validTo)]
  for (const [at, does] of [
    [beginsAt, 'begins'],
    [endsAt, 'ends'],
  ] as const) {
    if (Number.isNaN(at.getTime()))
      throw wrong(`EARSHOT_TLS_CERT: the certificate in ${certFile} says no time when it ${does}`)
  }
  // Also the rest of the chain, and what the library asks of a key.
  understood('EARSHOT_TLS_CERT', certFile, 'chain of certificates', () => createSecureContext(shown))
  return { shown, beginsAt, endsAt }
}

/** The library takes such a key, and then nobody can connect, or not everybody. */
function refuseUnagreed(file: string, { asymmetricKeyType: kind, asymmetricKeyDetails: details }: KeyObject): void {
  const { namedCurve: curve, modulusLength: bits = LEAST_RSA_BITS } = details ?? {}
  if (kind?.startsWith('rsa') && bits < LEAST_RSA_BITS)
    throw wrong(
      `EARSHOT_TLS_KEY: ${file} is an RSA key of ${bits} bits, which clients refuse as too short; take one of ${LEAST_RSA_BITS} bits or more, or EC on P-256, P-384 or P-521`,
    )
  if (kind !== undefined && (curve === undefined ? KINDS.has(kind) : CURVES.has(curve))) return
  throw wrong(
    `EARSHOT_TLS_KEY: ${file} is a key ${curve === undefined ? `of the kind ${kind}` : `on ${curve}`}, by which no client can agree; take RSA, or EC on P-256, P-384 or P-521`,
  )
}

function textOf(variable: string, file: string): string {
  try {
    // A pipe that nobody writes would be waited for, and nobody answered meanwhile.
    if (statSync(file).isFile()) return readFileSync(file, 'utf8')
  } catch (error) {
    throw wrong(`${variable}: ${file} can't be read (${errorCode(error) ?? 'no reason given'})`)
  }
  throw wrong(`${variable}: ${file} is no file`)
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
