import type { CallToolResult, InputRequiredResult, ServerContext, Tool } from '@modelcontextprotocol/server'

/** A tool that only the protocol's official test suite calls. */
export interface FixtureTool {
  readonly definition: Tool
  call(args: Readonly<Record<string, unknown>>, context: ServerContext): Promise<CallToolResult | InputRequiredResult>
}

type Answer = CallToolResult | InputRequiredResult

/** A tool without arguments, or with the given ones, all texts and all required. */
export function fixtureTool(
  name: string,
  description: string,
  call: (args: Readonly<Record<string, unknown>>, context: ServerContext) => Answer | Promise<Answer>,
  inputSchema: Tool['inputSchema'] = { type: 'object', properties: {} },
): FixtureTool {
  return { definition: { name, description, inputSchema }, call: async (args, context) => await call(args, context) }
}

/** An input schema of texts, all of them required. */
export function texts(...names: readonly string[]): Tool['inputSchema'] {
  return {
    type: 'object',
    properties: Object.fromEntries(names.map(name => [name, { type: 'string' }])),
    required: [...names],
  }
}

/** A result of one text. */
export function said(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] }
}
