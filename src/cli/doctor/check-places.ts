import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorCode } from '../../base/error-code.js'
import { Problem } from '../../base/problem.js'
import type { Config } from '../../config.js'
import { loadSsoMapping } from '../../oauth/sso-mapping.js'
import { type Finding, findingsOf } from './finding.js'

type Places = Pick<Config, 'importDir' | 'reportDir' | 'recordingsDir' | 'ssoMapping' | 'auditStream' | 'auditStreamCa'>

const { R_OK, W_OK, X_OK } = constants

/** What settings name beside the data directory: a fault of it shows first to whoever needs it, a task at night or somebody who signs in. */
export function checkPlaces(config: Places): readonly Finding[] {
  const { importDir, reportDir, recordingsDir, ssoMapping, auditStream, auditStreamCa } = config
  return [
    ...directory('Import directory', importDir, 'EARSHOT_IMPORT_DIR', 'tasks that import fail'),
    ...directory('Report directory', reportDir, 'EARSHOT_REPORT_DIR', 'tasks that write reports fail'),
    ...directory('Recordings', recordingsDir, 'EARSHOT_RECORDINGS_DIR', 'recordings are neither served nor erased'),
    ...mapping(ssoMapping),
    ...stream(auditStream, auditStreamCa),
  ]
}

function directory(check: string, path: string | undefined, variable: string, meaning: string): readonly Finding[] {
  if (path === undefined) return []
  const { ok, fail } = findingsOf(check)
  const fault = faultOf(path, R_OK | W_OK | X_OK, true)
  return [fault === undefined ? ok(path) : fail(`${path} ${fault}: ${meaning}`, `Correct it, or ${variable}`)]
}

function mapping(file: string | undefined): readonly Finding[] {
  if (file === undefined) return []
  const { ok, fail } = findingsOf('Single sign-on')
  try {
    const { rules, administrators } = loadSsoMapping(file)
    return [ok(`${file}: rules ${rules.length}, administrators ${administrators.length}`)]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [fail(error.message, 'Correct the file; `earshot sso try` says what it gives')]
  }
}

function stream(address: string | undefined, caFile: string | undefined): readonly Finding[] {
  if (address === undefined) return []
  const { ok, fail } = findingsOf('Audit stream')
  const path = address.startsWith('file:') ? dirname(fileURLToPath(address)) : caFile
  const [wanted, isDirectory, variable] = address.startsWith('file:')
    ? ([W_OK | X_OK, true, 'EARSHOT_AUDIT_STREAM'] as const)
    : ([R_OK, false, 'EARSHOT_AUDIT_STREAM_CA'] as const)
  const fault = path === undefined ? undefined : faultOf(path, wanted, isDirectory)
  if (fault === undefined) return [ok(address)]
  return [fail(`${path} ${fault}: the audit trail is not streamed`, `Correct it, or ${variable}`)]
}

/** Why this user can't use a file or directory; undefined where it can. */
function faultOf(path: string, wanted: number, isDirectory: boolean): string | undefined {
  try {
    if (statSync(path).isDirectory() !== isDirectory) return isDirectory ? 'is no directory' : 'is a directory'
    accessSync(path, wanted)
    return undefined
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT') return 'is not there'
    if (code === 'EROFS') return 'is on a file system that is read-only here'
    return code === 'EACCES' || code === 'EPERM' ? 'is not for this user' : `can't be looked at (${code ?? 'unknown'})`
  }
}
