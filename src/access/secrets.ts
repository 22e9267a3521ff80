import { hkdfSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CHAIN_KEY_FILE } from '../activity/chain-key.js'
import { errorCode, ifThere } from '../base/error-code.js'
import { Problem } from '../base/problem.js'
import { keptSecret, SECRET, secretFile } from './secret-file.js'

/** The secrets of an installation, and the file of each: in the data directory, or in EARSHOT_SECRETS_DIR. */
export const SECRET_FILES = {
  adminTokens: 'admin-jwt.secret',
  auditChain: CHAIN_KEY_FILE,
  cursors: 'cursor.key',
  inbound: 'inbound.key',
  mcpSessions: 'mcp-session.key',
  sessionHashes: 'session-hash.key',
  webhooks: 'webhook.key',
} as const

export type SecretName = keyof typeof SECRET_FILES
export const SECRET_NAMES = Object.keys(SECRET_FILES) as readonly SecretName[]

/** The secrets of an installation: 32 random bytes each, in base64url. */
export interface Secrets {
  /** @throws Problem, or DamagedSecret, whose sentence is for the operator, where there is none to be had */
  get(name: SecretName): Promise<string>
  /** As it is kept; nothing is made. Undefined where none was made yet. @throws as `get` does */
  kept(name: SecretName): Promise<string | undefined>
}

/** Generated on first use, each in a file of the data directory. */
export function generatedSecrets(dataDir: string): Secrets {
  return {
    get: name => secretFile(join(dataDir, SECRET_FILES[name])),
    kept: name => keptSecret(join(dataDir, SECRET_FILES[name])),
  }
}

/** What an operator gives: a root of all, as its text or in a file, and a directory of single ones. */
export interface GivenSecrets {
  readonly secret?: string | undefined
  readonly secretFile?: string | undefined
  readonly secretsDir?: string | undefined
}

const LEAST_ROOT_BYTES = 32

/**
 * Given from outside, the same to every process of an installation. Each is derived from the root (HKDF, RFC 5869), under a label of its
 * own: of one nothing follows about another. One that has a file in the directory is what that holds.
 */
export function givenSecrets(given: GivenSecrets): Secrets {
  let root: Promise<string | undefined> | undefined
  const get = async (name: SecretName): Promise<string> => {
    const file = SECRET_FILES[name]
    const single = given.secretsDir === undefined ? undefined : await singleSecret(join(given.secretsDir, file))
    if (single !== undefined) return single
    root ??= rootSecret(given)
    const whole = await root
    if (whole !== undefined)
      return Buffer.from(hkdfSync('sha256', whole, '', `earshot secret ${file}`, 32)).toString('base64url')
    throw new Problem(
      'not_configured',
      `There is no ${file} in ${given.secretsDir ?? 'EARSHOT_SECRETS_DIR'}: put it there, or set EARSHOT_SECRET or EARSHOT_SECRET_FILE, from which it is derived`,
    )
  }
  return { get, kept: get }
}

async function singleSecret(path: string): Promise<string | undefined> {
  const text = (await ifThere(readFile(path, 'utf8')).catch(unreadable('EARSHOT_SECRETS_DIR', path)))?.trim()
  if (text === undefined || SECRET.test(text)) return text
  throw new Problem(
    'not_configured',
    `${path} (EARSHOT_SECRETS_DIR) does not hold 32 bytes as 43 characters of base64url`,
  )
}

async function rootSecret({ secret, secretFile: path }: GivenSecrets): Promise<string | undefined> {
  if (path === undefined) return secret
  const text = (await readFile(path, 'utf8').catch(unreadable('EARSHOT_SECRET_FILE', path))).trim()
  if (Buffer.byteLength(text) >= LEAST_ROOT_BYTES) return text
  throw new Problem('not_configured', `${path} (EARSHOT_SECRET_FILE) must hold at least ${LEAST_ROOT_BYTES} bytes`)
}

const unreadable =
  (setting: string, path: string) =>
  (error: unknown): never => {
    throw new Problem('not_configured', `${path} (${setting}) can't be read (${errorCode(error) ?? 'unknown'})`)
  }
