import type { MintedKey } from '../../access/key-view.js'
import { newKey } from '../../access/key-fields.js'
import { newProject } from '../../access/project-fields.js'
import type { Installation } from '../../service/open-installation.js'

/** The project of the demo. */
export const DEMO_PROJECT = 'demo'

/** Marks what the demo itself made, so that it revokes nothing else. */
const author = { name: 'earshot demo', role: 'SuperAdmin' } as const

/** Makes the demo's project when it is not there. */
export async function ensureDemoProject({ projects }: Installation): Promise<void> {
  if (projects.list().some(project => project.project_id === DEMO_PROJECT)) return
  await projects.create(newProject.parse({ project_id: DEMO_PROJECT, name: 'Demo' }))
}

/** Mints the key of this start, and revokes those of the starts before. */
export async function mintDemoKey({ keys }: Installation): Promise<MintedKey> {
  for (const key of keys.list(DEMO_PROJECT, { includeRevoked: false })) {
    if (key.created_by === author.name) await keys.revoke(DEMO_PROJECT, key.key_id)
  }
  return keys.mint(DEMO_PROJECT, newKey.parse({ name: 'Demo' }), author)
}
