import type { Config } from '../../config.js'
import type { Installation } from '../../service/open-installation.js'
import type { DemoMarker } from './demo-marker.js'
import { ensureDemoProject, mintDemoKey } from './demo-project.js'
import { fillDemo } from './fill-demo.js'
import { mintDemoToken } from './mint-demo-token.js'

/** The credentials of one start. */
export interface DemoCredentials {
  readonly key: string
  readonly token: string
}

/** Fills the store where that is still to be done, and makes this start's credentials. Closes the store on failure. */
export async function prepareDemo(
  installation: Installation,
  config: Config,
  marker: DemoMarker,
  signal: Promise<NodeJS.Signals>,
): Promise<DemoCredentials> {
  try {
    await ensureDemoProject(installation)
    if (marker.state === 'filling') await fillDemo(installation, config.dataDir, marker, signal)
    const { key } = await mintDemoKey(installation)
    return { key, token: await mintDemoToken(config) }
  } catch (error) {
    await installation.close()
    throw error
  }
}
