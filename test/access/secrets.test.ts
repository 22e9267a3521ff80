import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { givenSecrets, SECRET_NAMES } from '../../src/access/secrets.js'
import { checkSecrets, secretsFault } from '../../src/service/check-secrets.js'
import type { Fingerprint } from '../../src/store/shared-extras.js'
import { tempDir } from '../support/temp-dir.js'

const ROOT = 'an example of thirty-two bytes, or more'

/** Fingerprints as a store keeps them, in memory. */
function kept() {
  const all = new Map<string, Fingerprint>()
  return {
    fingerprints: all,
    all: async () => await Promise.resolve(new Map(all)),
    put: async (name: string, fingerprint: Fingerprint, inPlaceOf: Fingerprint | undefined) => {
      const is = all.get(name)?.salt === inPlaceOf?.salt
      if (is) all.set(name, fingerprint)
      return await Promise.resolve(is)
    },
  }
}

describe('secrets that are given', () => {
  test('are derived from the root, each another, and the same wherever the root is', async () => {
    const all = async (given: Parameters<typeof givenSecrets>[0]) =>
      await Promise.all(SECRET_NAMES.map(name => givenSecrets(given).get(name)))
    const derived = await all({ secret: ROOT })
    expect(new Set(derived).size).toBe(SECRET_NAMES.length)
    for (const one of derived) expect(Buffer.from(one, 'base64url')).toHaveLength(32)
    const secretFile = join(tempDir(), 'root')
    writeFileSync(secretFile, `${ROOT}\n`)
    expect(await all({ secretFile })).toEqual(derived)
    expect(await all({ secret: `${ROOT}.` })).not.toContain(derived[0])
  })

  test('are what the directory holds of them', async () => {
    const secretsDir = tempDir()
    const single = randomBytes(32).toString('base64url')
    writeFileSync(join(secretsDir, 'cursor.key'), `${single}\n`)
    const secrets = givenSecrets({ secretsDir, secret: ROOT })
    expect(await secrets.get('cursors')).toBe(single)
    expect(await secrets.get('webhooks')).toBe(await givenSecrets({ secret: ROOT }).get('webhooks'))
    await expect(givenSecrets({ secretsDir }).get('webhooks')).rejects.toThrow(
      /^There is no webhook\.key in .*EARSHOT_SECRET/,
    )
  })

  test('are refused where they are damaged, short or not to be read, and not shown', async () => {
    const secretsDir = tempDir()
    writeFileSync(join(secretsDir, 'cursor.key'), 'hunter2')
    const damaged = givenSecrets({ secretsDir }).get('cursors')
    await expect(damaged).rejects.toThrow(/cursor\.key \(EARSHOT_SECRETS_DIR\) does not hold 32 bytes/)
    await expect(damaged).rejects.not.toThrow(/hunter2/)
    const secretFile = join(secretsDir, 'cursor.key')
    await expect(givenSecrets({ secretFile }).get('webhooks')).rejects.toThrow(/must hold at least 32 bytes/)
    await expect(givenSecrets({ secretFile: join(secretsDir, 'gone') }).get('webhooks')).rejects.toThrow(
      /EARSHOT_SECRET_FILE\) can't be read \(ENOENT\)/,
    )
  })
})

describe('secrets of a store that others have begun', () => {
  const config = (secret: string, more: object = {}) => ({
    storeUrl: 'mongodb://db',
    dataDir: '/nowhere',
    secret,
    ...more,
  })

  test('are taken where they are the same, and refused by name where not', async () => {
    const store = kept()
    await checkSecrets(config(ROOT), store)
    expect([...store.fingerprints.keys()].sort()).toEqual([...SECRET_NAMES].sort())
    const before = new Map(store.fingerprints)
    await checkSecrets(config(ROOT), store)
    const other = checkSecrets(config(`${ROOT}, another one`), store)
    await expect(other).rejects.toThrow(
      /admin-jwt\.secret \(EARSHOT_SECRET\), audit-chain\.key .* are not what the store/,
    )
    await expect(other).rejects.not.toThrow(/thirty-two/)
    const admin = checkSecrets(config(ROOT, { adminJwtSecret: `${ROOT} of administrators` }), store)
    await expect(admin).rejects.toThrow(/process admin-jwt\.secret \(EARSHOT_ADMIN_JWT_SECRET\) is not what/)
    expect(await secretsFault(config(ROOT), store.fingerprints)).toBeUndefined()
    expect((await secretsFault(config(`${ROOT}!`), store.fingerprints))?.message).toMatch(/is not what|are not what/)
    expect(store.fingerprints).toEqual(before)
    for (const { hash } of before.values())
      expect(hash).not.toContain(await givenSecrets({ secret: ROOT }).get('cursors'))
  })

  test('are rotated one by one, by the name of the change', async () => {
    const store = kept()
    await checkSecrets(config(ROOT), store)
    const secretsDir = tempDir()
    writeFileSync(join(secretsDir, 'cursor.key'), randomBytes(32).toString('base64url'))
    const error = await checkSecrets(config(ROOT, { secretsDir }), store).catch((thrown: unknown) => thrown)
    const [, change = ''] = /EARSHOT_ACCEPT_SECRET=(\S+)$/.exec(String(error)) ?? []
    expect(change).toMatch(/^cursor\.key@20/)
    await checkSecrets(config(ROOT, { secretsDir, acceptSecret: [change] }), store)
    await checkSecrets(config(ROOT, { secretsDir }), store)
    // Left behind, it accepts nothing.
    await expect(checkSecrets(config(ROOT, { acceptSecret: [change] }), store)).rejects.toThrow(/cursor\.key/)
  })

  test('are those of the first of two that begin at once', async () => {
    const store = kept()
    const begun = await Promise.allSettled([checkSecrets(config(ROOT), store), checkSecrets(config(`${ROOT}!`), store)])
    expect(begun.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
  })
})
