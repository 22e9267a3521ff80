import type { App } from '@modelcontextprotocol/ext-apps'
import type { Answer } from '../client/questions.js'

/** The tools whose answers are drawn; the service names the first three in their definitions, the last is come to from them. */
const DRAWN = ['get_call_detail', 'get_project_summary', 'detect_changes', 'search_calls'] as const
export type Drawn = (typeof DRAWN)[number]

export const isDrawn = (name: string | undefined): name is Drawn => DRAWN.some(one => one === name)

export type ToolResult = Awaited<ReturnType<App['callServerTool']>>

/** What is shown: a tool and what it was asked and answered. */
export type Shown = {
  readonly [Name in Drawn]: {
    readonly tool: Name
    readonly answer: Answer<Name>
  }
}[Drawn]

/** Asks a tool, through the client. */
export type AskTool = (tool: Drawn, args: Readonly<Record<string, unknown>>) => Promise<Shown>

/** A refusal of a tool, in its own words. */
export class ToolRefusal extends Error {}

/** The answer within a tool's result. @throws ToolRefusal for one that is none */
export function answerIn(tool: Drawn, { isError, content, structuredContent }: ToolResult): Shown {
  const text = content.find(one => one.type === 'text')?.text ?? ''
  const found: unknown = structuredContent ?? parsed(text)
  if (isError === true || typeof found !== 'object' || found === null) {
    const { error } = (parsed(text) ?? {}) as { readonly error?: unknown }
    throw new ToolRefusal(typeof error === 'string' ? error : text)
  }
  return { tool, answer: found } as Shown
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
