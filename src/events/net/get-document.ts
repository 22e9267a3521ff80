import { checkedRequest, type RequestOptions } from './checked-request.js'

/** What somebody elsewhere answered. */
export interface FetchedDocument {
  readonly status: number
  readonly text: string
}

/**
 * Fetches a small document from an address that the rules allow. Redirects are not followed, and all of it comes within the time of
 * an attempt. @throws Error where it is larger, or anything else goes wrong
 */
export async function getDocument(url: URL, maxBytes: number, options: RequestOptions): Promise<FetchedDocument> {
  return await checkedRequest(
    url,
    { method: 'GET', headers: { accept: 'application/json' } },
    options,
    async response => {
      const chunks: Buffer[] = []
      let bytes = 0
      for await (const chunk of response as AsyncIterable<Buffer>) {
        bytes += chunk.byteLength
        if (bytes > maxBytes) throw new Error(`the document is larger than ${maxBytes} bytes`)
        chunks.push(chunk)
      }
      return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }
    },
  )
}
