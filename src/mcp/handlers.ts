import {
  ProtocolError,
  ProtocolErrorCode,
  type RequestTypeMap,
  type ResultTypeMap,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Trail } from '../activity/audited.js'
import type { Answering } from '../questions/answering.js'
import { type Attendance, attend } from './attend.js'
import { callTool } from './call-tool.js'
import { complete } from './complete.js'
import { getPrompt } from './get-prompt.js'
import type { PromptRegistry } from './prompt-registry.js'
import { readResource } from './read-resource.js'
import type { ResourceRegistry } from './resource-registry.js'
import type { ToolRegistry } from './tool-registry.js'
import type { UnderWay } from './under-way.js'
import { visitOf } from './visit.js'

export interface HandlersParts {
  readonly tools: ToolRegistry
  readonly resources: ResourceRegistry
  readonly prompts: PromptRegistry
  readonly answering: Answering
  readonly trail: Trail
  readonly underWay: UnderWay
  readonly resultBytes: number
}

type Method =
  | 'tools/list'
  | 'tools/call'
  | 'resources/list'
  | 'resources/templates/list'
  | 'resources/read'
  | 'prompts/list'
  | 'prompts/get'
  | 'completion/complete'

/** What answers each request of the protocol that is about our own matters. */
export type Handlers = {
  readonly [M in Method]: (request: RequestTypeMap[M], context: ServerContext) => Promise<ResultTypeMap[M]>
}

/**
 * Our own handlers in place of the SDK's: lists depend on the caller, and arguments and addresses are read by what is
 * asked. They hold nothing of a connection, so one set serves every session and request.
 */
export function createHandlers(parts: HandlersParts): Handlers {
  const { tools, resources, prompts, underWay } = parts
  const attended = <T>(context: ServerContext, run: (attendance: Attendance) => Promise<T>): Promise<T> => {
    const answer = attend(context, run)
    underWay.add(answer)
    return answer
  }
  return {
    'tools/list': (request, context) => onePage(request, () => ({ tools: tools.listFor(visitOf(context).caller) })),
    'tools/call': ({ params }, context) => attended(context, attendance => callTool(parts, attendance, params)),
    'resources/list': (request, context) =>
      onePage(request, () => ({ resources: resources.listFor(visitOf(context).caller) })),
    'resources/templates/list': request => onePage(request, () => ({ resourceTemplates: resources.templates })),
    'resources/read': ({ params }, context) =>
      attended(context, attendance => readResource(parts, attendance, params.uri)),
    'prompts/list': request => onePage(request, () => ({ prompts: prompts.list })),
    'prompts/get': ({ params }, context) => attended(context, attendance => getPrompt(parts, attendance, params)),
    'completion/complete': ({ params }, context) =>
      attended(context, attendance => complete(parts, attendance, params)),
  }
}

/** A list that is never long enough for a second page; a cursor is one of someone else's. */
async function onePage<T>(
  {
    method,
    params,
  }: { readonly method: string; readonly params?: { readonly cursor?: string | undefined } | undefined },
  list: () => T,
): Promise<T> {
  if (params?.cursor === undefined) return await Promise.resolve(list())
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid cursor: ${method} has one page`)
}
