import { randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { SECRET_FILES, SECRET_NAMES, type SecretName } from '../access/secrets.js'
import { Problem } from '../base/problem.js'
import { sameSecret } from '../base/same-secret.js'
import type { Config } from '../config.js'
import type { Fingerprint, FingerprintStore } from '../store/shared-extras.js'
import { adminSecret } from './admin-secret.js'
import { type SecretsConfig, secretsOf } from './secrets-of.js'

const HASH_BYTES = 16
/** Some 10 ms for each: a root that somebody made up is not to be tried out by the million. */
const COST = { N: 4_096 } as const

/** Slow on purpose: of a secret that somebody made up, what the store holds must not be a way to try others. */
const stretched = promisify<string, string, number, typeof COST, Buffer>(scrypt)

/** Of the configuration what says which secrets this process has. */
export type HeldConfig = SecretsConfig & Partial<Pick<Config, 'adminJwtSecret' | 'adminJwksUrl' | 'acceptSecret'>>

/** A secret, with where it is set. */
interface Held {
  readonly name: SecretName
  readonly text: string
  readonly from: string
}

/**
 * Holds the secrets of this process against those that the store was begun with, and keeps what tells the first ones.
 * @throws Problem that names every one that is another, and shows none
 */
export async function checkSecrets(config: HeldConfig, store: FingerprintStore): Promise<void> {
  const held = await heldBy(config)
  const kept = await store.all()
  const others = await othersAmong(held, kept)
  const accepted = new Set(config.acceptSecret)
  const refused = others.filter(one => !accepted.has(changeOf(one, kept.get(one.name))))
  if (refused.length > 0) throw refusal(refused, kept)
  const written = await Promise.all(
    held
      .filter(one => !kept.has(one.name) || others.includes(one))
      .map(async one => await store.put(one.name, await fingerprintOf(one.text), kept.get(one.name))),
  )
  // Another process began at the same time: it is held against what that one kept.
  if (written.includes(false)) await checkSecrets(config, store)
}

/** What `doctor` says: nothing is kept. @returns the refusal, if it would be one */
export async function secretsFault(
  config: HeldConfig,
  kept: ReadonlyMap<string, Fingerprint>,
): Promise<Problem | undefined> {
  const others = await othersAmong(await heldBy(config), kept)
  return others.length === 0 ? undefined : refusal(others, kept)
}

async function heldBy(config: HeldConfig): Promise<readonly Held[]> {
  const secrets = secretsOf(config)
  const names = SECRET_NAMES.filter(name => name !== 'adminTokens' || config.adminJwksUrl === undefined)
  return await Promise.all(
    names.map(async (name): Promise<Held> => {
      if (name === 'adminTokens' && config.adminJwtSecret !== undefined) {
        return { name, text: await adminSecret(config), from: 'EARSHOT_ADMIN_JWT_SECRET' }
      }
      return { name, text: await secrets.get(name), from: sourceOf(config) }
    }),
  )
}

/** Where an operator looks first. */
function sourceOf({ secretFile, secretsDir }: HeldConfig): string {
  const root = secretFile === undefined ? 'EARSHOT_SECRET' : 'EARSHOT_SECRET_FILE'
  return secretsDir === undefined ? root : `EARSHOT_SECRETS_DIR or ${root}`
}

async function othersAmong(held: readonly Held[], kept: ReadonlyMap<string, Fingerprint>): Promise<readonly Held[]> {
  const same = await Promise.all(
    held.map(async ({ name, text }) => {
      const fingerprint = kept.get(name)
      return fingerprint === undefined || sameSecret(await hashOf(text, fingerprint.salt), fingerprint.hash)
    }),
  )
  return held.filter((_, i) => same[i] === false)
}

async function fingerprintOf(text: string): Promise<Fingerprint> {
  const salt = randomBytes(HASH_BYTES).toString('base64url')
  return { salt, hash: await hashOf(text, salt), since: new Date().toISOString() }
}

async function hashOf(text: string, salt: string): Promise<string> {
  return (await stretched(text, `earshot fingerprint ${salt}`, HASH_BYTES, COST)).toString('base64url')
}

/** Names a change: that of the secret which is kept since then. */
const changeOf = ({ name }: Held, kept: Fingerprint | undefined): string => `${SECRET_FILES[name]}@${kept?.since}`

function refusal(others: readonly Held[], kept: ReadonlyMap<string, Fingerprint>): Problem {
  const named = others.map(({ name, from }) => `${SECRET_FILES[name]} (${from})`).join(', ')
  const changes = others.map(one => changeOf(one, kept.get(one.name))).join(',')
  return new Problem(
    'conflict',
    `Of the secrets of this process ${named} ${others.length === 1 ? 'is' : 'are'} not what the store was begun with. Give every process the same; to rotate them on purpose, see "Secrets of several processes" in docs/operator.md and set EARSHOT_ACCEPT_SECRET=${changes}`,
  )
}
