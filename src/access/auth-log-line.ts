import { escapeUnseen } from '../base/text.js'
import type { Caller } from './caller.js'

/** The specification's log line for an accepted caller, once per opened session, stream or stateless request. */
export function authLogLine(caller: Caller): string {
  return `MCP auth via ${caller.source}: project_id=${caller.project_id} app=${escapeUnseen(caller.app_name)}`
}
