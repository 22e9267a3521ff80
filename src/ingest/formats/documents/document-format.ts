import type { z } from 'zod'
import { isObject } from '../../../base/is-object.js'
import { faultsOf } from '../../faults-of.js'
import type { Piece, RawRecord } from '../../piece.js'
import type { Reading } from '../../reading.js'
import { type Conversation, conversationOf } from '../conversation/conversation-of.js'
import type { Speech } from '../conversation/speech.js'
import type { Format, FormatPage } from '../format.js'
import { cutJsonRecords, readJsonRecords } from '../json-records.js'
import { knownFields } from '../known-fields.js'
import { isMarked, type Marks } from '../shape/marks.js'
import { inTimeZone } from './times.js'

/** Most values of one document: three hours of talk with the time, confidence and speaker of every word. */
const MOST_VALUES = 1_000_000

/** A call as a document tells it, but for who is the agent. */
export interface ToldCall {
  readonly speeches: readonly Speech[]
  /** Further fields of the record; undefined ones are left out. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Fields of session_metadata; undefined ones are left out. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** Of one call among several of a document: its place in it, such as `calls[3]`, and what mappings read from. */
  readonly at?: string
  readonly document?: unknown
}

/** A call, or why there is none: the end of a sentence that begins with the document. */
export type Told = ToldCall | string

interface Definition<S extends z.ZodType, Tools> {
  readonly name: string
  readonly title: string
  readonly page: FormatPage
  /** What such documents have. */
  readonly marks: Marks
  /** What is read of a document. Whatever else it holds is left out. */
  readonly schema: S
  readonly missing: Format['missing']
  /** Loads what only reading needs, in the worker that reads. */
  readonly load?: () => Promise<Tools>
  readonly tell: (document: z.output<S>, tools: Tools) => Told | readonly Told[]
  /** Cuts a file where its documents are not what JSON usually holds: a file of one conversation in many lines. */
  readonly cut?: Format['cut']
  /** The documents of a piece of such a file. */
  readonly documents?: (piece: Piece, mostValues: number) => Iterable<RawRecord>
}

/** A format in which a JSON document tells a call, or several: a file each, several in an array, or one a line. */
export function documentFormat<S extends z.ZodType, Tools = undefined>(definition: Definition<S, Tools>): Format {
  const { name, title, page, marks, schema, tell, missing = {}, load, cut = cutJsonRecords } = definition
  const documents = definition.documents ?? readJsonRecords
  return {
    name,
    title,
    page,
    missing,
    marks,
    recognises: ({ shape }) => isMarked(shape, marks),
    cut,
    read(piece: Piece, reading: Reading) {
      return load === undefined
        ? records(piece, reading, undefined as Tools)
        : load().then(tools => records(piece, reading, tools))
    },
  }

  function* records(piece: Piece, reading: Reading, tools: Tools): Generator<RawRecord> {
    for (const raw of documents(piece, MOST_VALUES)) {
      if ('fault' in raw) yield raw
      else yield* recordsOf(raw.value, raw, reading, tools)
    }
  }

  function* recordsOf(
    document: unknown,
    { line, at }: Pick<RawRecord, 'line' | 'at'>,
    reading: Reading,
    tools: Tools,
  ): Generator<RawRecord> {
    const parsed = inTimeZone(reading.timeZone, () => schema.safeParse(document))
    if (!parsed.success) {
      const [{ path, message }] = inTimeZone(reading.timeZone, () => faultsOf(schema, document)) ?? [
        { path: '', message: 'is not valid' },
      ]
      yield { line, at, fault: { path, message: `${message} (read as ${name})` } }
      return
    }
    const told = tell(parsed.data, tools)
    const all = typeof told === 'string' || !isList(told) ? [told] : told
    for (const one of all) {
      if (typeof one === 'string') {
        yield { line, at, fault: { path: '', message: one } }
        continue
      }
      const place = one.at === undefined ? at : at === '' ? one.at : `${at}.${one.at}`
      const made = conversationOf(one.speeches, reading.agentSpeakers, one.fields['channel'])
      if ('fault' in made) yield { line, at: place, fault: { path: '', message: made.fault } }
      else {
        // A file holds one call, which may go by its place; of the documents of an array or of further lines none does.
        const alone = at === '' && line === 1 && all.length === 1
        yield {
          line,
          at: place,
          value: { ...recordingOf(document), ...recordOfCall(one, made.conversation) },
          document: one.document ?? document,
          alone,
        }
      }
    }
  }
}

/** Where "earshot transcribe" found the recording of a document. */
function recordingOf(document: unknown): { recording_url?: string } {
  const recording = isObject(document) ? document['earshot_recording'] : undefined
  const place = isObject(recording) ? recording['recording_url'] : undefined
  return typeof place === 'string' ? { recording_url: place } : {}
}

function isList(told: Told | readonly Told[]): told is readonly Told[] {
  return Array.isArray(told)
}

/** The record of a call: what the document says of it, and who said what. */
export function recordOfCall(
  { fields, metadata }: Pick<ToldCall, 'fields' | 'metadata'>,
  { record, metadata: chosen }: Conversation,
): Record<string, unknown> {
  return {
    ...record,
    ...knownFields(fields),
    session_metadata: { ...knownFields(metadata), ...chosen },
  }
}
