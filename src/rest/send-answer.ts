import { type Hash, createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { jsonPieces } from '../base/in-turns.js'
import { PIECE_BYTES } from '../base/pieces-of.js'
import { escaped } from '../base/text.js'
import { CSV_TYPE, JSON_TYPE } from './answer-type.js'
import { TOTAL_HEADER } from '../operations/operation.js'
import { besideTable } from '../operations/table.js'

/** The cursor of the next page of a table, which has no place for it. */
export const NEXT_HEADER = 'x-next-cursor'
/** Says `true` of a table that was cut. */
export const TRUNCATED_HEADER = 'x-truncated'
/** The warnings of an answer that is given as a table: a list as JSON, in ASCII. */
export const WARNINGS_HEADER = 'x-warnings'

/** Bytes that warnings may take: proxies have 4 KiB for all headers of an answer. */
const MOST_WARNINGS_BYTES = 2_000

/** What is left of a key's own budget. */
export const BUDGET_HEADER = 'earshot-budget-left'

/** A finished answer, and where a table of it was asked for that as CSV. */
export interface Finished {
  readonly answer: object
  readonly csv?: string | undefined
  readonly status: number
  /** Whether it carries an ETag. */
  readonly tagged: boolean
  /** Throws where who asks may not have it any more. */
  readonly check: () => void
}

/**
 * Sends an answer; with an ETag where it carries one, or 304 to a client that holds it already. It is called with the
 * finished answer, so whoever may not see a record learns nothing of its tag. The tag is a weak one: answers may be
 * compressed on the way.
 */
export async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { answer, csv, status, tagged, check }: Finished,
): Promise<FastifyReply> {
  if (status === 204) return await reply.status(status).send()
  const pieces: Buffer[] = []
  const hash = createHash('sha256')
  for await (const piece of csv === undefined ? jsonPieces(answer) : [csv]) {
    const bytes = Buffer.from(piece)
    pieces.push(bytes)
    if (tagged) hash.update(bytes)
  }
  const tag = tagged ? await tagOf({ ...answer }, hash, csv !== undefined) : undefined
  // It was made in turns with others; from here on it is sent in one.
  check()
  const vary = [reply.getHeader('vary') ?? [], 'accept', 'authorization', 'cookie', 'x-project-id'].flat()
  reply.status(status).header('vary', vary.join(', '))
  if (csv !== undefined) reply.headers(headersOf(answer))
  if (tag !== undefined) {
    // Kept by the client alone, and asked about every time.
    reply.headers({ etag: `W/${tag}`, 'cache-control': 'private, no-cache' })
    if (holds(request.headers['if-none-match'], tag)) return await reply.status(304).send()
  }
  return await reply.type(csv === undefined ? JSON_TYPE : CSV_TYPE).send(wholeOrInPieces(request, reply, pieces))
}

/** What was made, as one where it is little, else piece by piece: to lay pieces of many megabytes beside each other keeps others waiting. */
function wholeOrInPieces(
  { method }: FastifyRequest,
  reply: FastifyReply,
  pieces: readonly Buffer[],
): Buffer | Readable {
  const bytes = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
  if (method === 'HEAD' || bytes <= PIECE_BYTES) return Buffer.concat(pieces)
  reply.header('content-length', bytes)
  return Readable.from(pieces)
}

/** What JSON says beside the list, as headers. */
function headersOf(answer: object): Readonly<Record<string, string | number>> {
  const { total, next, truncated, warnings } = besideTable(answer)
  return {
    ...(total !== undefined && { [TOTAL_HEADER]: total }),
    ...(next !== undefined && { [NEXT_HEADER]: next }),
    ...(truncated && { [TRUNCATED_HEADER]: 'true' }),
    ...(warnings.length > 0 && { [WARNINGS_HEADER]: fitting(warnings) }),
  }
}

/** As many warnings as there is room for, and how many more there are. */
function fitting(warnings: readonly string[]): string {
  for (let kept = warnings.length; kept > 0; kept -= 1) {
    const left = warnings.length - kept
    const text = asciiJson([...warnings.slice(0, kept), ...(left === 0 ? [] : [moreWarnings(left)])])
    if (text.length <= MOST_WARNINGS_BYTES) return text
  }
  return asciiJson([moreWarnings(warnings.length)])
}

const moreWarnings = (count: number) => `${count} more in application/json`

/** JSON with every character escaped that a header has no place for. */
const asciiJson = (value: unknown) => JSON.stringify(value).replaceAll(/[^ -~]/g, escaped)

/**
 * A tag of what an answer says. Two of the same calls differ in the instant they were given at, where no end was asked for,
 * and in their cursors, which are sealed anew each time: a client that holds one of them needs no other.
 */
async function tagOf(answer: Readonly<Record<string, unknown>>, whole: Hash, isTable: boolean): Promise<string> {
  const { window, next_cursor: next, ...said } = answer
  if (window === undefined && next === undefined) return `"${whole.digest('base64url')}"`
  const lasting = { ...said, window: { ...(window as object | undefined), to: undefined }, more: next !== undefined }
  const hash = createHash('sha256')
  for await (const piece of jsonPieces(lasting)) hash.update(piece)
  // The same answer is something else as a table.
  return `"${hash.update(isTable ? 'csv' : '').digest('base64url')}"`
}

function holds(header: string | undefined, tag: string): boolean {
  const tags = new Set((header ?? '').split(',').map(one => one.trim().replace(/^W\//, '')))
  return tags.has(tag) || tags.has('*')
}
