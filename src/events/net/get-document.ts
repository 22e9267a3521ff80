import { readBounded } from '../../base/read-bounded.js'
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
      const tooLarge = () => new Error(`the document is larger than ${maxBytes} bytes`)
      const body = await readBounded(response, maxBytes, tooLarge)
      return { status: response.statusCode ?? 0, text: body.toString('utf8') }
    },
  )
}
