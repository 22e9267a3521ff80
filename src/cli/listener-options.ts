import type { Flags } from '../config.js'
import { textOption } from './text-option.js'

/** Where to listen. */
export const listenerOptions = {
  host: textOption('Address of the API listener (HOST)'),
  port: textOption('Port of the API listener, 0 for a free one (PORT)'),
  'mcp-host': textOption('Address of the tool server (MCP_HOST)'),
  'mcp-port': textOption('Port of the tool server, 0 for a free one (MCP_PORT)'),
} as const

interface ListenerArguments {
  readonly host?: string | undefined
  readonly port?: string | undefined
  readonly mcpHost?: string | undefined
  readonly mcpPort?: string | undefined
}

/** The settings among the listener options. */
export function listenerFlags({ host, port, mcpHost, mcpPort }: ListenerArguments): Flags {
  return { host, port, mcpHost, mcpPort }
}
