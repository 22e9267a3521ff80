import type { Document as BsonDocument } from 'bson'
import type { Reply } from './wire.js'

/**
 * What a command comes to: done only when a promise is kept; a connection that closes before it is done, or behind it; no answer; an error
 * of that code before it is done; or done, and then not taken over by a majority (`writeConcern`), for which it may have been undone.
 */
export type Fault =
  | Promise<void>
  | 'drop'
  | 'answer lost'
  | 'hang'
  | { readonly code: number; readonly message: string; readonly labels?: readonly string[] }
  | { readonly writeConcern: number; readonly labels?: readonly string[]; readonly undo?: () => void }

/** Says of each command what it comes to before it is done. */
export type Faults = (name: string, body: BsonDocument) => Fault | undefined

/** The reply to a command that comes to a fault. */
export function replyWith(fault: Fault | undefined, answer: () => BsonDocument): Reply | Promise<Reply> {
  if (fault === undefined) return answer()
  if (fault instanceof Promise) return fault.then(answer)
  if (fault === 'hang') return 'nothing'
  if (fault === 'drop') return 'closed'
  if (fault === 'answer lost') {
    answer()
    return 'closed'
  }
  const labelled = fault.labels && { errorLabels: fault.labels }
  if ('code' in fault) return { ok: 0, code: fault.code, errmsg: fault.message, ...labelled }
  const done = answer()
  fault.undo?.()
  return { ...done, writeConcernError: { code: fault.writeConcern, errmsg: 'no majority has it' }, ...labelled }
}
