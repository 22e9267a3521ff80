import { randomUUID } from 'node:crypto'
import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Logger } from 'pino'
import { closest } from '../base/closest.js'
import { Problem } from '../base/problem.js'
import { shapeError } from '../base/shape-error.js'
import { echo } from '../base/text.js'
import type { Answering } from '../questions/answering.js'
import type { ToolRegistry } from './tool-registry.js'
import type { Visit } from './visit.js'

interface CallToolParts {
  readonly registry: ToolRegistry
  readonly answering: Answering
  readonly log: Logger
  readonly resultBytes: number
}

/**
 * Answers one tools/call for the caller of this very request. A failure is a result that says so; only a tool that does
 * not exist is the protocol's invalid-params error. Nothing is returned once `signal` has aborted but a refusal.
 */
export async function callTool(
  parts: CallToolParts,
  visit: Visit,
  call: { readonly name: string; readonly arguments?: unknown },
  signal: AbortSignal,
): Promise<CallToolResult> {
  const question = parts.registry.question(call.name)
  if (question === undefined) throw unknownTool(parts.registry, visit, call.name)
  const requestId = randomUUID()
  try {
    const answer = await parts.answering.answer(question, visit.caller, call.arguments ?? {}, { signal, requestId })
    if (signal.aborted) throw new Problem('cancelled', 'The request was cancelled')
    return result(answer, parts.resultBytes)
  } catch (error) {
    const { body } = shapeError(error, (reference, cause) => {
      parts.log.error({ reference, requestId, tool: question.name, err: cause }, 'A tool call failed')
    })
    const reference = body.reference === undefined ? {} : { reference: body.reference }
    // No structuredContent beside an error: it would have to fit the tool's output schema, and clients check that.
    return { isError: true, content: [{ type: 'text', text: JSON.stringify({ error: body.error, ...reference }) }] }
  }
}

function result(answer: object, maxBytes: number): CallToolResult {
  const text = JSON.stringify(answer)
  const bytes = Buffer.byteLength(text)
  if (bytes > maxBytes) {
    throw new Problem(
      'too_large',
      `The answer has ${bytes} bytes, more than the ${maxBytes} bytes of one tool result; ask for less at a time`,
    )
  }
  return { content: [{ type: 'text', text }], structuredContent: answer }
}

function unknownTool(registry: ToolRegistry, visit: Visit, name: string): ProtocolError {
  const near = closest(
    name,
    registry.listFor(visit.caller).map(tool => tool.name),
  )
  const hint = near === undefined ? '' : `; did you mean ${near}?`
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${echo(name)}${hint}`)
}
