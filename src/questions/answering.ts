import type { Caller } from '../access/caller.js'
import type { Question } from './question.js'

export interface AnswerContext {
  /** Aborts when the client goes away or its key is revoked. */
  readonly signal?: AbortSignal
  readonly requestId: string
}

/**
 * Answers a question for a caller: checks the role, parses the arguments strictly, narrows, runs, checks the answer
 * against its schema. Rejects with a Problem whose text may go to the caller, or with the unexpected.
 * The one way from a transport to a question.
 */
export interface Answering {
  answer(question: Question, caller: Caller, args: unknown, context: AnswerContext): Promise<object>
}
