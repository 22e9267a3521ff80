import { type AuditedRequest, type Trail, audited, sessionIdsIn } from '../activity/audited.js'
import type { ActivityTransport } from '../store/activity-record.js'
import type { Caller } from '../access/caller.js'
import { whoOnRecord } from '../access/who-on-record.js'
import type { AnswerContext, Answering, Typed } from './answering.js'
import type { Completable, Completion } from './completion.js'
import type { Prompt } from './prompt.js'
import type { Question } from './question.js'
import type { Resource } from './resource.js'

/** What completions are called on record: they belong to no page of their own. */
const COMPLETION = 'completion/complete'

/**
 * Answering with every answer and refusal on record before it is given back. A transport is handed this one and no
 * other, so there is no unaudited way from it to a question.
 */
export function auditedAnswering(answering: Answering, trail: Trail, transport: ActivityTransport): Answering {
  const requestOf = (caller: Caller, page: string, args: unknown, context: AnswerContext): AuditedRequest => ({
    ...whoOnRecord(caller),
    request_id: context.requestId,
    transport,
    page: context.page ?? page,
    sessionIds: sessionIdsIn(args),
  })
  return {
    answer: (question: Question, caller: Caller, args: unknown, context: AnswerContext): Promise<object> => {
      const run = () => answering.answer(question, caller, args, context)
      const measure = (answer: object) => ({ status: 200, ...rowsOf(answer) })
      return audited(trail, requestOf(caller, question.name, args, context), run, { measure, check: context.check })
    },
    read: (resource: Resource, caller: Caller, params: unknown, context: AnswerContext): Promise<object> => {
      const run = () => answering.read(resource, caller, params, context)
      const measure = (content: object) => ({ status: 200, ...rowsOf(content) })
      const line = requestOf(caller, resource.uriTemplate, params, context)
      return audited(trail, line, run, { measure, check: context.check })
    },
    write: (prompt: Prompt, caller: Caller, args: unknown, context: AnswerContext): Promise<string> => {
      const run = () => answering.write(prompt, caller, args, context)
      const measure = () => ({ status: 200 })
      return audited(trail, requestOf(caller, prompt.name, args, context), run, { measure, check: context.check })
    },
    complete: (target: Completable, caller: Caller, typed: Typed, context: AnswerContext): Promise<Completion> => {
      const run = () => answering.complete(target, caller, typed, context)
      const measure = ({ values }: Completion) => ({ status: 200, rows: values.length })
      return audited(trail, requestOf(caller, COMPLETION, undefined, context), run, { measure, check: context.check })
    },
  }
}

/** Lists say how many entries they hold; other answers have no rows. */
function rowsOf(answer: object): { readonly rows?: number } {
  const count: unknown = 'count' in answer ? answer.count : undefined
  return typeof count === 'number' ? { rows: count } : {}
}
