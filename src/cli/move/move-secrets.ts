import { join } from 'node:path'
import { givenSecretFile } from '../../access/secret-file.js'
import { SECRET_FILES, SECRET_NAMES, type SecretName, type Secrets } from '../../access/secrets.js'
import { Problem } from '../../base/problem.js'
import { sameSecret } from '../../base/same-secret.js'

/** Without these what is kept cannot be opened: signing secrets of webhooks, and what inbound webhooks prove themselves by. */
const SEALING: ReadonlySet<SecretName> = new Set(['webhooks', 'inbound'])
/** A trail stays where it is, with the secret of its chain. */
const STAYING: ReadonlySet<SecretName> = new Set(['auditChain'])

const moving = SECRET_NAMES.filter(name => !STAYING.has(name))

interface FromDirectory {
  readonly directory: string
  /** As the directory has them. */
  readonly kept: Secrets
  /** As they are given to the processes on the server. */
  readonly given: Secrets
}

/**
 * Holds the secrets of a directory against those that are given from outside.
 * @returns files of those that are others, and that only what is under way depends on
 * @throws Problem `conflict` where one is another that the store's own contents are sealed with
 */
export async function compareSecrets({ directory, kept, given }: FromDirectory): Promise<readonly string[]> {
  const others: SecretName[] = []
  for (const name of moving) {
    const secret = await kept.kept(name)
    if (secret !== undefined && !sameSecret(secret, await given.get(name))) others.push(name)
  }
  const sealing = others.filter(name => SEALING.has(name))
  if (sealing.length > 0) {
    const files = sealing.map(name => SECRET_FILES[name]).join(' and ')
    throw new Problem(
      'conflict',
      `What ${files} of ${directory} has sealed could not be opened on the server. Put a copy of ${files} into the directory that EARSHOT_SECRETS_DIR names, there and for every process`,
    )
  }
  return others.map(name => SECRET_FILES[name])
}

/**
 * Puts the secrets that are given from outside into a directory, each where there is none yet.
 * @throws Problem `conflict` where there is another that contents are sealed with
 */
export async function putSecrets({ directory, kept, given }: FromDirectory): Promise<readonly string[]> {
  for (const name of moving) await givenSecretFile(join(directory, SECRET_FILES[name]), await given.get(name))
  return await compareSecrets({ directory, kept, given })
}
