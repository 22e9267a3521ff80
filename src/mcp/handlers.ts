import {
  ProtocolError,
  ProtocolErrorCode,
  type RequestTypeMap,
  type ResultTypeMap,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Admission } from '../admission/admission.js'
import type { Trail } from '../activity/audited.js'
import { endedBy } from '../base/problem.js'
import type { Answering } from '../questions/answering.js'
import { complete } from './complete.js'
import { getPrompt, type PromptRegistry } from './prompts.js'
import { readResource, type ResourceRegistry } from './resources.js'
import { callTool, type ToolRegistry } from './tools.js'
import type { UnderWay } from './under-way.js'
import { type Asked, askedOf, OVER } from './request-context.js'
import { protocolFailure } from './protocol-failure.js'
import type { Views } from './views.js'

export interface HandlersParts {
  readonly tools: ToolRegistry
  readonly resources: ResourceRegistry
  readonly prompts: PromptRegistry
  readonly views: Views
  readonly answering: Answering
  readonly trail: Trail
  readonly underWay: UnderWay
  readonly resultBytes: number
  readonly admission: Pick<Admission, 'budgets'>
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
  const answered = <T>(context: ServerContext, run: (asked: Asked) => Promise<T>): Promise<T> => {
    const answer = answerOf(context, run)
    underWay.add(answer)
    return answer
  }
  return {
    'tools/list': (request, context) =>
      onePage(request, () => ({ tools: tools.listFor(askedOf(context).request.caller) })),
    'tools/call': ({ params }, context) => answered(context, asked => callTool(parts, asked, params)),
    'resources/list': (request, context) =>
      onePage(request, () => ({ resources: resources.listFor(askedOf(context).request.caller) })),
    'resources/templates/list': request => onePage(request, () => ({ resourceTemplates: resources.templates })),
    'resources/read': ({ params }, context) => answered(context, asked => readResource(parts, asked, params.uri)),
    'prompts/list': request => onePage(request, () => ({ prompts: prompts.list })),
    'prompts/get': ({ params }, context) => answered(context, asked => getPrompt(parts, asked, params)),
    'completion/complete': ({ params }, context) => answered(context, asked => complete(parts, asked, params)),
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

/**
 * Runs what answers a request of the protocol. Whatever goes wrong becomes the protocol's error, and no answer leaves
 * that was finished after the caller had gone, or its key, or the key had come to hear something else.
 */
async function answerOf<T>(context: ServerContext, run: (asked: Asked) => Promise<T>): Promise<T> {
  const { request, signal } = askedOf(context)
  try {
    return await untilEither([context.mcpReq.signal, signal], async either => {
      const { caller } = request
      const answer = await run({ request, signal: either })
      if (either.aborted) throw endedBy(either)
      request.found(caller)
      return answer
    })
  } catch (error) {
    throw protocolFailure(error, (reference, cause) => {
      request.log.error({ reference, method: context.mcpReq.method, err: cause }, 'A request failed')
    })
  }
}

/**
 * Runs something under a signal that aborts with the first of several. What AbortSignal.any does, at a fraction of its
 * cost: that keeps weak references for the collector to clear, for every request (measured).
 */
async function untilEither<T>(signals: readonly AbortSignal[], run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const stop = (): void => controller.abort(OVER)
  for (const signal of signals) {
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  }
  try {
    return await run(controller.signal)
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', stop)
  }
}
