import type { Readable } from 'node:stream'
import { z } from 'zod'
import { Problem } from '../base/problem.js'
import type { PreparedCall } from '../store/store.js'

/*
 * An import over the control socket, as lines. For each call two: `["session_id","agent_id","agent_name"]`, with what tells
 * of its file where that names it, and the record as it is (not as a string in JSON, which would cost as much as checking
 * it). `{"write":n}` asks for the calls so far to be written, and is answered with a line before more is sent.
 * `{"end":{…}}` is the last line.
 */

/** See PreparedCall.placed. */
export const placedId = z.strictObject({ began: z.number(), words: z.string().optional(), bare: z.string().optional() })
const ids = z.tuple([z.string(), z.string(), z.string(), placedId.optional()])
const count = z.int().min(0)

/** What an import came to, as far as it is counted. */
export const importEnd = z.strictObject({ stored: count, duplicates: count, rejected: count })
export type ImportEnd = z.output<typeof importEnd>

const order = z.union([z.strictObject({ write: count }), z.strictObject({ end: importEnd })])

export type ImportFrame = { readonly calls: readonly PreparedCall[] } | { readonly end: ImportEnd }

export interface FrameLimits {
  /** Most bytes of one record, and of the records of one write. */
  readonly recordBytes: number
  readonly writeBytes: number
}

/** The lines of some calls to be written together, cut anywhere: text, or bytes in UTF-8. */
export function* writeLines(calls: readonly PreparedCall[]): Generator<string | Uint8Array> {
  for (const { session_id, agent_id, agent_name, json, placed } of calls) {
    yield `${JSON.stringify([session_id, agent_id, agent_name, ...(placed === undefined ? [] : [placed])])}\n`
    yield json
    yield '\n'
  }
  yield `${JSON.stringify({ write: calls.length })}\n`
}

/** The last line of an import. */
export function endLine({ stored, duplicates, rejected }: ImportEnd): string {
  return `${JSON.stringify({ end: { stored, duplicates, rejected } })}\n`
}

/**
 * Reads an import's lines. @throws Problem `too_large`, `invalid_input` for what no command sends, `cancelled` when the
 * lines stop before the last one
 */
export async function* readFrames(stream: Readable, limits: FrameLimits): AsyncGenerator<ImportFrame> {
  let calls: PreparedCall[] = []
  let bytes = 0
  let named: z.output<typeof ids> | undefined
  for await (const line of readLines(stream, limits.recordBytes)) {
    if (named !== undefined) {
      const [session_id, agent_id, agent_name, placed] = named
      calls.push({ session_id, agent_id, agent_name, json: line, ...(placed !== undefined && { placed }) })
      named = undefined
      bytes += line.length
      if (bytes > limits.writeBytes) {
        throw new Problem('too_large', `One write of an import holds more than ${limits.writeBytes} bytes`)
      }
    } else if (line[0] === OPEN_ARRAY) {
      named = parse(ids, line)
    } else {
      const asked = parse(order, line)
      if ('end' in asked) {
        yield asked
        return
      }
      if (asked.write !== calls.length) throw new Problem('invalid_input', 'Calls of this import were lost on the way')
      const full = calls
      calls = []
      bytes = 0
      yield { calls: full }
    }
  }
  throw new Problem('cancelled', 'The import broke off before its end')
}

function parse<T>(schema: z.ZodType<T>, line: Buffer): T {
  try {
    return schema.parse(JSON.parse(line.toString('utf8')))
  } catch {
    throw new Problem('invalid_input', 'This is not what "earshot import" sends')
  }
}

const NEWLINE = 0x0a
const OPEN_ARRAY = 0x5b

async function* readLines(stream: Readable, most: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let length = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const last = chunk.subarray(start, end)
      yield held.length === 0 ? last : Buffer.concat([...held, last])
      held = []
      length = 0
      start = end + 1
    }
    if (start === chunk.length) continue
    held.push(chunk.subarray(start))
    length += chunk.length - start
    if (length > most) throw new Problem('too_large', `A record is larger than ${most} bytes`)
  }
}
