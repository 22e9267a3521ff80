import type { z } from 'zod'
import { CALL_SUBJECT } from '../../store/event-store.js'

/** A kind of event: what webhooks subscribe to by its name, and what its payload may hold. */
export interface EventKind<Name extends string = string, Data extends z.ZodObject = z.ZodObject> {
  readonly name: Name
  /** When it is raised, in a sentence for whoever chooses. */
  readonly description: string
  /** Strict, and of ids, keys, scores and times only: nothing that anybody said or wrote leaves by a webhook. */
  readonly data: Data
  /** What an event is about, as `call/<session_id>`: deliveries about the same thing arrive in the order of events. */
  subject(data: z.output<Data>): string
}

/** Keeps name and payload bound to the kind. */
export function eventKind<const Name extends string, Data extends z.ZodObject>(
  kind: EventKind<Name, Data>,
): EventKind<Name, Data> {
  return kind
}

/** The subject of everything about one call. */
export function callSubject(sessionId: string): string {
  return `${CALL_SUBJECT}${sessionId}`
}
