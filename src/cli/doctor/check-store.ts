import { existsSync } from 'node:fs'
import { Problem } from '../../base/problem.js'
import { formatBytes } from '../../config/read.js'
import { answers, controlSocketPath, pathFault } from '../../control/control-socket.js'
import { SocketClient } from '../../control/socket-client.js'
import { getReadiness } from '../../operations/health.js'
import { getServer } from '../../operations/maintenance.js'
import { expectedStore } from '../../service/expected-store.js'
import { type HeldConfig, secretsFault } from '../../service/check-secrets.js'
import { isEmbedded } from '../../service/elsewhere.js'
import { StoreHeld } from '../../store/store-held.js'
import { version } from '../version.js'
import { type Finding, findingsOf } from './finding.js'

const KiB = 1024

/** The store: whether it can be opened, or who holds it. `running` tells whether a server does. */
export async function checkStore(
  config: HeldConfig,
): Promise<{ readonly finding: Finding; readonly running: boolean }> {
  const { ok, warn, fail } = findingsOf('Store')
  const { dataDir } = config
  if (existsSync(dataDir)) {
    const path = controlSocketPath(dataDir)
    if (pathFault(path) === undefined && (await answers(path)))
      return { finding: await checkServer(path), running: true }
  } else if (isEmbedded(config)) return { finding: ok('none yet; the first start makes it'), running: false }
  if (!isEmbedded(config)) return { finding: await checkElsewhere(config), running: false }
  const { inspectStore } = await import('../../store/duckdb/files/inspect-store.js')
  try {
    const look = await inspectStore(dataDir, await expectedStore(dataDir))
    if (look === 'none') return { finding: ok('none yet; the first start makes it'), running: false }
    if (look.loss !== undefined) return { finding: fail(look.loss.message, 'See docs/operator.md'), running: false }
    const found = `opens: version ${look.version}, ${formatBytes(Math.ceil(look.bytes / KiB) * KiB)}`
    if (!look.recorded) {
      const unknown = `${found}; the record of acknowledged writes is gone or damaged, so none can be told to be missing`
      return { finding: warn(unknown, 'The next start begins it anew'), running: false }
    }
    if (look.version === look.newest) return { finding: ok(found), running: false }
    if (look.version > look.newest) {
      return { finding: fail(found, `Update the program: it knows versions up to ${look.newest}`), running: false }
    }
    const advice = `Back it up first: the next start brings it to version ${look.newest}, and older programs refuse it then`
    return { finding: warn(found, advice), running: false }
  } catch (error) {
    if (error instanceof StoreHeld) {
      const advice = 'If it is the server, it is starting or ending; else stop it'
      return { finding: warn(error.message, advice), running: true }
    }
    if (error instanceof Problem) return { finding: fail(error.message, 'See docs/operator.md'), running: false }
    throw error
  }
}

/** A store on a server of its own: whether it can be reached. */
async function checkElsewhere(config: HeldConfig): Promise<Finding> {
  const { ok, fail } = findingsOf('Store')
  const { lookAtMongoStore } = await import('../../store/mongodb/open-mongodb-store.js')
  try {
    const { where, isBegun, fingerprints } = await lookAtMongoStore(config.storeUrl)
    const fault = await secretsFault(config, fingerprints)
    if (fault !== undefined) return fail(fault.message, 'See EARSHOT_SECRET in docs/operator.md')
    return ok(isBegun ? `answers at ${where}` : `none yet at ${where}; the first start makes it`)
  } catch (error) {
    if (error instanceof Problem) return fail(error.message, 'See EARSHOT_STORE_URL in docs/operator.md')
    throw error
  }
}

/** A server that holds the store and answers commands. */
async function checkServer(path: string): Promise<Finding> {
  const { ok, fail } = findingsOf('Store')
  try {
    const client = await SocketClient.open(path, version)
    const { pid } = await client.run(getServer, {})
    await client.run(getReadiness, {})
    return ok(`held by the running server (process ${pid}), which is ready`)
  } catch (error) {
    if (error instanceof Problem) return fail(error.message, "The server's log says more")
    throw error
  }
}
