import type { Caller } from './caller.js'

// Whatever a log viewer might take for the end of a line or for a command to the terminal.
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** The specification's log line for an accepted caller, once per opened session, stream or stateless request. */
export function authLogLine(caller: Caller): string {
  const name = caller.app_name.toWellFormed().replace(UNSAFE, escaped)
  return `MCP auth via ${caller.source}: project_id=${caller.project_id} app=${name}`
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
