import type { z } from 'zod'
import { faultsOf } from '../../faults-of.js'
import type { Fault, Piece, RawRecord } from '../../piece.js'
import type { Reading } from '../../reading.js'
import { type Conversation, conversationOf } from '../conversation/conversation-of.js'
import type { Speech } from '../conversation/speech.js'
import type { Format } from '../format.js'
import { cutJsonRecords, readJsonRecords } from '../json-records.js'
import { knownFields } from '../known-fields.js'
import { topLevelKeys } from './top-level-keys.js'

/** Most values of one document: three hours of talk with the time, confidence and speaker of every word. */
const MOST_VALUES = 1_000_000

/** A call as a document tells it, but for who is the agent. */
export interface ToldCall {
  readonly speeches: readonly Speech[]
  /** Further fields of the record; undefined ones are left out. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Fields of session_metadata; undefined ones are left out. */
  readonly metadata: Readonly<Record<string, unknown>>
}

interface Definition<S extends z.ZodType> {
  readonly name: string
  readonly title: string
  /** Whether documents with these fields are such. */
  readonly has: (keys: ReadonlySet<string>) => boolean
  /** What is read of a document. Whatever else it holds is left out. */
  readonly schema: S
  /** @returns the call, or why there is none: the end of a sentence that begins with the document */
  readonly tell: (document: z.output<S>) => ToldCall | string
  readonly missing: Format['missing']
}

/** A format in which one JSON document tells one call: a file each, several in an array, or one a line. */
export function documentFormat<S extends z.ZodType>(definition: Definition<S>): Format {
  const { name, title, has, schema, tell, missing = {} } = definition
  return {
    name,
    title,
    missing,
    recognises: ({ head }) => has(topLevelKeys(head)),
    cut: cutJsonRecords,
    *read(piece: Piece, reading: Reading) {
      for (const raw of readJsonRecords(piece, MOST_VALUES)) {
        if ('fault' in raw) yield raw
        else yield { line: raw.line, at: raw.at, ...recordOf(raw.value, raw, reading) }
      }
    },
  }

  function recordOf(
    document: unknown,
    { line, at }: Pick<RawRecord, 'line' | 'at'>,
    reading: Reading,
  ): { value: unknown; document: unknown; alone: boolean } | { fault: Fault } {
    const parsed = schema.safeParse(document)
    if (!parsed.success) {
      const [{ path, message }] = faultsOf(schema, document) ?? [{ path: '', message: 'is not valid' }]
      return { fault: { path, message: `${message} (read as ${name})` } }
    }
    const told = tell(parsed.data)
    if (typeof told === 'string') return { fault: { path: '', message: told } }
    const made = conversationOf(told.speeches, reading.agentSpeakers)
    if ('fault' in made) return { fault: { path: '', message: made.fault } }
    // A file holds one call, which may go by its place; of the documents of an array or of further lines none does.
    return { value: recordOfCall(told, made.conversation), document, alone: at === '' && line === 1 }
  }
}

/** The record of a call: what the document says of it, and who said what. */
export function recordOfCall(
  { fields, metadata }: Pick<ToldCall, 'fields' | 'metadata'>,
  { record, metadata: chosen }: Conversation,
): Record<string, unknown> {
  return {
    ...knownFields(fields),
    ...record,
    session_metadata: { ...knownFields(metadata), ...chosen },
  }
}
