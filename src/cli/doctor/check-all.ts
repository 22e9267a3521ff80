import { ConfigError, type Flags, loadConfig } from '../../config.js'
import { checkDirectory } from './check-directory.js'
import { checkMachine } from './check-machine.js'
import { checkPlaces } from './check-places.js'
import { checkPorts } from './check-ports.js'
import { checkAuditAnchor } from './check-audit-anchor.js'
import { checkAuditTrail } from './check-audit-trail.js'
import { checkCertificate } from './check-certificate.js'
import { checkStore } from './check-store.js'
import { type Finding, findingsOf } from './finding.js'

/** Every check, in the order in which one would look. Changes nothing. */
export async function checkAll(flags: Flags): Promise<readonly Finding[]> {
  const { ok, warn, fail } = findingsOf('Configuration')
  try {
    const { config, warnings } = loadConfig(flags)
    const settings = warnings.length === 0 ? [ok('holds')] : warnings.map(text => warn(text, 'Correct or remove it'))
    const directory = checkDirectory(config.dataDir)
    const beside = [...checkCertificate(config), ...checkPlaces(config)]
    const own = [...settings, ...checkMachine(config), ...beside, ...directory]
    // What can't be read or written can't be opened either.
    if (directory.some(({ status, check }) => status === 'fail' && check === 'Data directory')) return own
    const { finding, running } = await checkStore(config)
    const trail = [await checkAuditTrail(config), ...(await checkAuditAnchor(config))]
    return [...own, finding, ...trail, ...(await checkPorts(config, running))]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map(problem => fail(problem, 'See docs/configuration.md'))
  }
}
