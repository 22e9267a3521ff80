import type { Caller } from '../access/caller.js'
import type { Completable, Completion } from './completion.js'
import type { Prompt } from './prompt.js'
import type { Question } from './question.js'
import type { Resource } from './resource.js'

export interface AnswerContext {
  /** Aborts when the client goes away or its key is revoked. */
  readonly signal?: AbortSignal
  readonly requestId: string
  /** @throws Problem where what was found for the caller may not be told any more */
  readonly check?: () => void
  /** What the audit trail calls it where that is not the question's name: a route or URI template, never an id. */
  readonly page?: string
}

/** What is being typed: the name of a variable or argument, and its beginning. */
export interface Typed {
  readonly name: string
  readonly value: string
}

/**
 * The one way from a transport to what callers may ask. Each of its methods checks what the caller may ask and how it
 * asks, hands over an Asker that is narrowed to the caller's scope, and checks what comes back. All reject with a
 * Problem whose text may go to the caller, or with the unexpected.
 */
export interface Answering {
  /** Answers a question: checks the role, parses the arguments strictly, narrows, runs, checks the answer. */
  answer(question: Question, caller: Caller, args: unknown, context: AnswerContext): Promise<object>
  /** Reads a resource. `params` are the decoded variables of its address. */
  read(resource: Resource, caller: Caller, params: unknown, context: AnswerContext): Promise<object>
  /** Writes a prompt for a caller. */
  write(prompt: Prompt, caller: Caller, args: unknown, context: AnswerContext): Promise<string>
  /** Completes a variable or argument. One that has no completion gets no values. */
  complete(target: Completable, caller: Caller, typed: Typed, context: AnswerContext): Promise<Completion>
}
