import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { closest } from '../base/closest.js'
import { echo } from '../base/text.js'

/** The protocol's error for a name that stands for nothing: `Unknown tool: "x"; did you mean y?` */
export function unknownName(what: string, name: string, known: readonly string[]): ProtocolError {
  const near = closest(name, known)
  const hint = near === undefined ? '' : `; did you mean ${near}?`
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown ${what}: ${echo(name)}${hint}`)
}
