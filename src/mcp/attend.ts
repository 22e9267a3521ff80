import type { ServerContext } from '@modelcontextprotocol/server'
import type { Logger } from 'pino'
import type { Caller } from '../access/caller.js'
import { Problem } from '../base/problem.js'
import type { AnswerContext } from '../questions/answering.js'
import { untilEither } from './until-either.js'
import { protocolFailure } from './protocol-failure.js'
import { visitOf } from './visit.js'

/** One request being answered: who asks, as of this request, and until when an answer is wanted. */
export interface Attendance extends AnswerContext {
  readonly caller: Caller
  readonly signal: AbortSignal
  /** Logs under the request's id. */
  readonly log: Logger
}

/**
 * Runs what answers a request of the protocol. Whatever goes wrong becomes the protocol's error, and no answer leaves
 * that was finished after the caller had gone, or its key.
 */
export async function attend<T>(context: ServerContext, run: (attendance: Attendance) => Promise<T>): Promise<T> {
  const visit = visitOf(context)
  const { caller, requestId, log } = visit
  try {
    return await untilEither([context.mcpReq.signal, visit.signal], async signal => {
      const answer = await run({ caller, signal, requestId, log })
      if (signal.aborted) throw new Problem('cancelled', 'The request was cancelled')
      return answer
    })
  } catch (error) {
    throw protocolFailure(error, (reference, cause) => {
      log.error({ reference, method: context.mcpReq.method, err: cause }, 'A request failed')
    })
  }
}
