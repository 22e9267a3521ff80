import type { IncomingMessage } from 'node:http'
import { isJsonContentType } from '@modelcontextprotocol/server'
import { isObject } from '../base/is-object.js'
import { holdsMoreValues, MOST_JSON_VALUES } from '../base/json-weight.js'
import type { Share } from '../admission/shares.js'
import { echo } from '../base/text.js'
import { failure, type HttpAnswer, rpcFailure } from './http-answer.js'
import { messagesOf } from './messages.js'

/** Deepest nesting of a message. Far above what any tool takes, and far below what overflows a recursive reader. */
const DEEPEST_NESTING = 100

/** Most fields of params and of arguments: far above what any tool takes, and far below what is slow to check one by one. */
const MOST_NAMES = 1_000

export type ReadMessage = { readonly message: unknown } | { readonly refused: HttpAnswer }

/**
 * The JSON body of a POST, read up to `maxBytes`. A body over the limit is refused when it says so or as soon as it
 * shows, and is never held.
 * @param share what it takes as it comes, where it does not say how much it is
 * @param turn waited for when all of the body is there: reading what it says is work
 */
export async function readMessage(
  req: IncomingMessage,
  maxBytes: number,
  share: Pick<Share, 'more'>,
  turn: () => Promise<void>,
): Promise<ReadMessage> {
  if (!isJsonContentType(req.headers['content-type'] ?? null)) {
    return { refused: failure(415, 'The Content-Type must be application/json', 'unsupported_media_type') }
  }
  const encoding = req.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    const error = `The Content-Encoding ${echo(encoding)} is not supported; send the body as it is`
    return { refused: failure(415, error, 'unsupported_media_type') }
  }
  const body = await readBody(req, maxBytes, share)
  if (body === undefined) {
    const error = `The request body is larger than the limit of ${maxBytes} bytes`
    return { refused: failure(413, error, 'too_large') }
  }
  await turn()
  return parse(body)
}

async function readBody(
  req: IncomingMessage,
  maxBytes: number,
  share: Pick<Share, 'more'>,
): Promise<Buffer | undefined> {
  const isSaid = req.headers['content-length'] !== undefined
  if (Number(req.headers['content-length']) > maxBytes) return undefined
  return await new Promise((resolve, reject) => {
    let chunks: Buffer[] = []
    let size = 0
    let refused = false
    // What follows flows on unread, so that the client gets to read the refusal instead of a broken connection.
    const refuse = (answer: () => void) => {
      refused = true
      chunks = []
      answer()
    }
    req.on('data', (chunk: Buffer) => {
      if (refused) return
      size += chunk.byteLength
      if (size > maxBytes) {
        refuse(() => resolve(undefined))
        return
      }
      try {
        if (!isSaid) share.more(chunk.byteLength)
        chunks.push(chunk)
      } catch (error) {
        if (!(error instanceof Error)) throw error
        refuse(() => reject(error))
      }
    })
    req.once('end', () => {
      if (!refused) resolve(Buffer.concat(chunks))
    })
    req.once('error', reject)
    req.once('close', () => {
      // Every request closes, and making an error costs more than reading one.
      if (!req.complete) reject(new Error('The client left before its request was complete'))
    })
  })
}

function parse(body: Buffer): ReadMessage {
  if (holdsMoreValues(body)) {
    const error = `Invalid request: the message holds more than ${MOST_JSON_VALUES} values`
    return { refused: rpcFailure(400, -32600, error) }
  }
  let message: unknown
  try {
    message = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return { refused: rpcFailure(400, -32700, 'Parse error: the request body is not valid JSON in UTF-8') }
  }
  if (nestsDeeper(message, DEEPEST_NESTING)) {
    const error = `Invalid request: the message is nested deeper than ${DEEPEST_NESTING} levels`
    return { refused: rpcFailure(400, -32600, error) }
  }
  const named = messagesOf(message).flatMap(namedObjects)
  // The SDK would take the message as if the field weren't there. What lies deeper it hands on, for what is asked to refuse.
  if (named.some(value => Object.hasOwn(value, '__proto__'))) {
    const error = 'Invalid request: the name "__proto__" is not allowed, neither for a field nor for an argument'
    return { refused: rpcFailure(400, -32600, error) }
  }
  if (named.some(value => Object.keys(value).length > MOST_NAMES)) {
    const error = `Invalid request: the message, its params or its arguments have more than ${MOST_NAMES} fields`
    return { refused: rpcFailure(400, -32600, error) }
  }
  return { message }
}

/** A message, its params and its arguments, as far as they are objects: what the SDK reads field by field. */
function namedObjects(message: unknown): readonly object[] {
  const params = isObject(message) ? message['params'] : undefined
  const args = isObject(params) ? params['arguments'] : undefined
  return [message, params, args].filter(value => isObject(value))
}

function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const part of Object.values(value)) if (nestsDeeper(part, levels - 1)) return true
  return false
}
