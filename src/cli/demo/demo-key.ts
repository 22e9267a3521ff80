import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newKey } from '../../access/key-fields.js'
import { ifThere } from '../../base/error-code.js'
import type { Installation } from '../../service/open-installation.js'
import { DEMO_PROJECT } from './demo-project.js'

const FILE = 'demo.key'

/** Marks what the demo itself made, so that it revokes nothing else. */
const author = { name: 'earshot demo', role: 'SuperAdmin' } as const

/** The demo's application key, and what a person should know of it. */
export interface DemoKey {
  readonly key: string
  /** kept: the one of the start before. new: asked for, or the first. replaced: the kept one is no longer accepted. */
  readonly is: 'kept' | 'new' | 'replaced'
}

/**
 * The key of the demo, the same at every start: what was pasted into clients goes on working. Only here does an
 * installation keep a key itself, in a file of its owner's only, since its calls are made up. A new one revokes those
 * the demo made before.
 */
export async function demoKey(
  { keys }: Installation,
  dataDir: string,
  { wantsNewKey }: { readonly wantsNewKey: boolean },
): Promise<DemoKey> {
  const path = join(dataDir, FILE)
  const token = (await ifThere(readFile(path, 'utf8')))?.trim()
  const kept = token === undefined ? undefined : keys.resolve(token)
  // One that was rotated is accepted for its grace time only.
  const isGood = kept?.project_id === DEMO_PROJECT && kept.expires_at === undefined
  if (token !== undefined && isGood && !wantsNewKey) return { key: token, is: 'kept' }
  for (const old of keys.list(DEMO_PROJECT, { includeRevoked: false })) {
    if (old.created_by === author.name) await keys.revoke(DEMO_PROJECT, old.key_id)
  }
  const { key } = await keys.mint(DEMO_PROJECT, newKey.parse({ name: 'Demo' }), author)
  await rm(`${path}.new`, { force: true })
  await writeFile(`${path}.new`, `${key}\n`, { mode: 0o600 })
  await rename(`${path}.new`, path)
  return { key, is: token === undefined || isGood ? 'new' : 'replaced' }
}
