import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { AwsV4Signer } from 'aws4fetch'
import pRetry from 'p-retry'
import { errorCode } from '../../base/error-code.js'
import { readBounded } from '../../base/read-bounded.js'
import { within } from '../../base/within.js'
import { openEndpoint, type OpenedAnswer } from '../../events/net/ask-endpoint.js'
import { BucketFault, faultOfAnswer } from './bucket-fault.js'
import { type BucketObject, errorIn, type Listing, listingOf } from './listing.js'

const MOST_LISTED = 1_000
/** Most bytes of a page of a listing: 1,000 objects, each of whose keys may have 1,024 bytes that are written as three. */
const MOST_PAGE_BYTES = 16 * 1024 * 1024
const MOST_ERROR_BYTES = 64 * 1024
/** What a server is given to copy an object within the bucket, besides the usual time. */
const COPIED_BYTES_PER_MS = 10_000
const ATTEMPTS = 3

/** How a bucket is reached: the operator's settings. */
export interface BucketAccess {
  /** Address of the S3 API, without the bucket. */
  readonly url: string
  /** The bucket's name and, behind a slash, the prefix below which everything lies: `calls`, `calls/incoming`. */
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | undefined
  /** Where the bucket's name stands in addresses: in the path, or before the host. */
  readonly addressing: 'path' | 'virtual'
  /** Longest wait for an answer, and for each next piece of one. */
  readonly timeoutMs: number
  /** Pause before the second attempt, up to twice as long by chance; the next one doubles. */
  readonly firstRetryMs: number
}

/** Where a page of a listing begins: behind the page that gave a token, or behind a key. */
type Place = { readonly token: string } | { readonly key: string }

interface Ask {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  /** Below the bucket's prefix; undefined asks of the bucket. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeoutMs?: number
  readonly signal: AbortSignal
}

/**
 * A bucket of S3, or of what speaks its API. Redirects are not followed: credentials go to the address that was set and
 * nowhere else. All throw BucketFault, or the signal's reason.
 */
export class Bucket {
  readonly #access: BucketAccess
  readonly #name: string
  /** Empty, or with a slash at its end. */
  readonly #prefix: string

  constructor(access: BucketAccess) {
    this.#access = access
    const [name = '', ...parts] = access.bucket.split('/').filter(part => part !== '')
    this.#name = name
    this.#prefix = parts.map(part => `${part}/`).join('')
  }

  /** A page of what lies below a prefix, in the order of keys: the first, or the one behind a place. */
  async page(
    prefix: string,
    { behind, most = MOST_LISTED }: { readonly behind?: Place | undefined; readonly most?: number },
    signal: AbortSignal,
  ): Promise<Listing> {
    const query = {
      'list-type': '2',
      'encoding-type': 'url',
      'max-keys': String(most),
      prefix: this.#prefix + prefix,
      ...(behind !== undefined && 'token' in behind && { 'continuation-token': behind.token }),
      ...(behind !== undefined && 'key' in behind && { 'start-after': this.#prefix + behind.key }),
    }
    const text = await this.#text({ method: 'GET', query, signal }, MOST_PAGE_BYTES)
    return await listingOf(text, { prefix: query.prefix, below: this.#prefix.length })
  }

  /** The content of an object, which must still be the one that was listed. */
  async read({ key, etag }: BucketObject, signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
    const answer = await this.#answer({ method: 'GET', key, headers: { 'if-match': etag }, signal })
    return this.#pieces(answer, signal)
  }

  /** Moves an object within the bucket, over what is there. One that was written anew meanwhile stays where the server can tell. */
  async move({ key, etag, bytes }: BucketObject, to: string, signal: AbortSignal): Promise<void> {
    const source = { 'x-amz-copy-source': `/${this.#name}/${this.#path(key)}`, 'x-amz-copy-source-if-match': etag }
    const timeoutMs = this.#access.timeoutMs + bytes / COPIED_BYTES_PER_MS
    const said = await this.#text({ method: 'PUT', key: to, headers: source, timeoutMs, signal }, MOST_ERROR_BYTES)
    // A copy may begin its answer with 200 and fail afterwards.
    const code = await errorIn(said)
    if (code !== undefined) throw faultOfAnswer(500, code)
    await this.#text({ method: 'DELETE', key, headers: { 'if-match': etag }, signal }, MOST_ERROR_BYTES)
  }

  /** Writes an object. */
  async write(key: string, text: string, signal: AbortSignal): Promise<void> {
    const headers = { 'content-type': 'application/x-ndjson' }
    await this.#text({ method: 'PUT', key, body: text, headers, signal }, MOST_ERROR_BYTES)
  }

  /** Bytes of the whole key, its prefix included. */
  keyBytes(key: string): number {
    return Buffer.byteLength(this.#prefix + key)
  }

  async #text(ask: Ask, most: number): Promise<string> {
    const answer = await this.#answer(ask)
    const tooLarge = () => new BucketFault(`The bucket gave an answer of more than ${most} bytes`)
    return (await readBounded(this.#pieces(answer, ask.signal), most, tooLarge)).toString('utf8')
  }

  /** An answer without a refusal, of which nothing was read; asked for again while that may help. */
  async #answer(ask: Ask): Promise<OpenedAnswer> {
    return await pRetry(() => this.#once(ask), {
      retries: ATTEMPTS - 1,
      minTimeout: this.#access.firstRetryMs,
      randomize: true,
      signal: ask.signal,
      shouldRetry: ({ error }) => error instanceof BucketFault && error.again,
    })
  }

  async #once(ask: Ask): Promise<OpenedAnswer> {
    const { signal, timeoutMs = this.#access.timeoutMs } = ask
    const send = new AbortController()
    const late = new BucketFault(`The bucket did not answer within ${Math.ceil(timeoutMs / 1_000)} s`, { again: true })
    try {
      const sent = this.#send(ask, AbortSignal.any([signal, send.signal]))
      const answer = await within(timeoutMs, sent, () => late)
      if (answer === late) {
        sent.catch(() => undefined)
        send.abort()
        throw late
      }
      const { statusCode: status = 0 } = answer as OpenedAnswer
      if (status >= 200 && status < 300) return answer as OpenedAnswer
      const pieces = this.#pieces(answer as OpenedAnswer, signal)
      const said = (await readBounded(pieces, MOST_ERROR_BYTES, () => late)).toString('utf8')
      throw faultOfAnswer(status, await errorIn(said))
    } catch (error) {
      throw this.#faultOf(error, signal)
    }
  }

  async #send({ method, key, query, headers, body }: Ask, signal: AbortSignal): Promise<OpenedAnswer> {
    const { url, region, accessKeyId, secretAccessKey, sessionToken, addressing } = this.#access
    const address = new URL(url)
    if (addressing === 'virtual') address.hostname = `${this.#name}.${address.hostname}`
    const parts = [...(addressing === 'path' ? [this.#name] : []), ...(key === undefined ? [] : [this.#path(key)])]
    address.pathname = `${address.pathname.replace(/\/+$/, '')}/${parts.join('/')}`
    for (const [name, value] of Object.entries(query ?? {})) address.searchParams.set(name, value)
    const signer = new AwsV4Signer({
      method,
      // As it is signed: a blank in a query is %20 there.
      url: address.href.replaceAll('+', '%20'),
      headers: {
        ...headers,
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
      },
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== undefined && { sessionToken }),
    })
    const signed = await signer.sign()
    const bytes = method === 'PUT' ? Buffer.from(body ?? '') : undefined
    const all = {
      ...Object.fromEntries(signed.headers),
      ...(bytes !== undefined && { 'content-length': String(bytes.length) }),
    }
    const request = { method, url: signed.url, headers: all, ...(bytes !== undefined && { body: bytes }) }
    return await openEndpoint(request, { signal, keepsAlive: true })
  }

  /** What comes of an answer, piece by piece; time counts only while one is waited for. */
  async *#pieces(answer: OpenedAnswer, signal: AbortSignal): AsyncGenerator<Buffer> {
    const { timeoutMs } = this.#access
    const pieces = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    const late = new BucketFault(`The bucket sent nothing more for ${Math.ceil(timeoutMs / 1_000)} s`, { again: true })
    try {
      for (;;) {
        const waiting = pieces.next()
        const next = await within(timeoutMs, waiting, () => late)
        if (next === late) {
          waiting.catch(() => undefined)
          throw late
        }
        const piece = next as IteratorResult<Buffer, undefined>
        if (piece.done === true) return
        yield piece.value
      }
    } catch (error) {
      throw this.#faultOf(error, signal)
    } finally {
      answer.destroy()
    }
  }

  #faultOf(error: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) return signal.reason
    if (error instanceof BucketFault) return error
    const code = errorCode(error)
    return new BucketFault(`The bucket can't be reached, or broke off${code === undefined ? '' : ` (${code})`}`, {
      again: true,
    })
  }

  #path(key: string): string {
    const parts = (this.#prefix + key).split('/')
    // An address loses these parts, however they are written, and would be that of another object.
    if (parts.includes('.') || parts.includes('..')) {
      throw new BucketFault('has a name that no address can hold', { about: 'object' })
    }
    return parts.map(encodeURIComponent).join('/')
  }
}

/** Behind every key that begins like this. */
const LAST = '\u{10ffff}'

/** All objects below a prefix but those in some folders, which are gone past, not through; a page at a time is held. */
export async function* objectsBelow(
  bucket: Pick<Bucket, 'page'>,
  prefix: string,
  without: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<BucketObject> {
  const folderOf = (key: string) => without.find(name => key.startsWith(`${prefix}${name}/`))
  let behind: Place | undefined
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each page says where the next one begins
    const { objects, next } = await bucket.page(prefix, { behind }, signal)
    yield* objects.filter(({ key }) => folderOf(key) === undefined)
    if (next === undefined) return
    const folder = folderOf(objects.at(-1)?.key ?? '')
    const place = folder === undefined ? { token: next } : { key: `${prefix}${folder}/${LAST}` }
    if (isDeepStrictEqual(place, behind)) throw new BucketFault('The bucket lists the same page again')
    behind = place
  }
}

/** The content of an object as a stream that is asked for when it is read. */
export function objectStream(read: () => Promise<AsyncIterable<Buffer>>): Readable {
  async function* content(): AsyncGenerator<Buffer> {
    yield* await read()
  }
  return Readable.from(content(), { objectMode: false })
}
