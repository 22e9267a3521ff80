import { rm } from 'node:fs/promises'
import type { Config } from '../../config.js'
import { adminSecretPath } from '../../service/admin-secret.js'
import type { Installation } from '../../service/open-installation.js'
import { type DemoKey, demoKey } from './demo-key.js'
import type { DemoMarker } from './demo-marker.js'
import { ensureDemoProject } from './demo-project.js'
import { fillDemo } from './fill-demo.js'
import { mintDemoToken } from './mint-demo-token.js'

interface DemoParts {
  readonly config: Config
  readonly marker: DemoMarker
  readonly wantsNewKey: boolean
  readonly signal: Promise<NodeJS.Signals>
}

/** What a client shows to get in. */
export interface DemoCredentials {
  readonly key: DemoKey
  readonly token: string
}

/** Fills the store where that is still to be done, and gives the credentials. Closes the store on failure. */
export async function prepareDemo(
  installation: Installation,
  { config, marker, wantsNewKey, signal }: DemoParts,
): Promise<DemoCredentials> {
  try {
    await ensureDemoProject(installation)
    if (marker.state === 'filling') await fillDemo(installation, config.dataDir, marker, signal)
    const key = await demoKey(installation, config.dataDir, { wantsNewKey })
    // A signed token can't be revoked singly: with the key, those of the starts before end by a new secret.
    if (key.is !== 'kept') await rm(adminSecretPath(config.dataDir), { force: true })
    return { key, token: await mintDemoToken(config) }
  } catch (error) {
    await installation.close()
    throw error
  }
}
