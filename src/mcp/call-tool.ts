import type { CallToolResult, ResourceLink } from '@modelcontextprotocol/server'
import type { Trail } from '../activity/audited.js'
import { Problem } from '../base/problem.js'
import { shapeError } from '../base/shape-error.js'
import type { Answering } from '../questions/answering.js'
import type { Attendance } from './attend.js'
import { recordUnknown } from './record-unknown.js'
import type { ToolRegistry } from './tool-registry.js'
import { transcriptLinks } from './transcript-links.js'
import { unknownName } from './unknown-name.js'

interface CallToolParts {
  readonly tools: ToolRegistry
  readonly answering: Answering
  readonly trail: Trail
  readonly resultBytes: number
}

/**
 * Answers one tools/call. A failure is a result that says so; only a tool that does not exist is the protocol's
 * invalid-params error.
 */
export async function callTool(
  { tools, answering, trail, resultBytes }: CallToolParts,
  { caller, log, ...context }: Attendance,
  call: { readonly name: string; readonly arguments?: unknown },
): Promise<CallToolResult> {
  const question = tools.question(call.name)
  if (question === undefined) {
    await recordUnknown(trail, { caller, ...context }, 'unknown tool')
    const known = tools.listFor(caller).map(tool => tool.name)
    throw unknownName('tool', call.name, known)
  }
  try {
    const answer = await answering.answer(question, caller, call.arguments ?? {}, context)
    return result(answer, transcriptLinks(question.callsIn?.(answer) ?? []), resultBytes)
  } catch (error) {
    const { body } = shapeError(error, (reference, cause) => {
      log.error({ reference, tool: question.name, err: cause }, 'A tool call failed')
    })
    const reference = body.reference === undefined ? {} : { reference: body.reference }
    // No structuredContent beside an error: it would have to fit the tool's output schema, and clients check that.
    return { isError: true, content: [{ type: 'text', text: JSON.stringify({ error: body.error, ...reference }) }] }
  }
}

function result(answer: object, links: readonly ResourceLink[], maxBytes: number): CallToolResult {
  const text = JSON.stringify(answer)
  const bytes = Buffer.byteLength(text)
  if (bytes > maxBytes) {
    throw new Problem(
      'too_large',
      `The answer has ${bytes} bytes, more than the ${maxBytes} bytes of one tool result; ask for less at a time`,
    )
  }
  return { content: [{ type: 'text', text }, ...links], structuredContent: answer }
}
