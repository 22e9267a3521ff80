import { LRUCache } from 'lru-cache'
import { addressRules } from '../events/net/address-rules.js'
import { type FetchedDocument, getDocument } from '../events/net/get-document.js'
import { readRegistration } from './read-registration.js'

/** Larger documents are refused; those of clients have some hundred bytes. */
const MOST_BYTES = 16 * 1024
const TIMEOUT_MS = 5_000
/** One that was none is not asked for again so long: a sign-in looks its client up several times. */
const REFUSED_MS = 60_000
const MOST_REFUSED = 1_000

interface ClientDocumentsParts {
  /** Hosts whose documents are fetched, in lower case. */
  readonly hosts: readonly string[]
  /** Fetches one; by default from public addresses only. */
  readonly get?: (url: URL) => Promise<FetchedDocument>
}

/**
 * Clients that are known by the address of a document about them (Client ID Metadata Documents) in place of a registration. Only
 * documents of hosts that the operator named are fetched: the address comes from whoever asks to be let in.
 */
export class ClientDocuments {
  readonly #hosts: ReadonlySet<string>
  readonly #get: (url: URL) => Promise<FetchedDocument>
  readonly #refused = new LRUCache<string, true>({ max: MOST_REFUSED, ttl: REFUSED_MS })

  constructor({ hosts, get }: ClientDocumentsParts) {
    this.#hosts = new Set(hosts)
    const rules = addressRules([])
    this.#get = get ?? (url => getDocument(url, MOST_BYTES, { rules, timeoutMs: TIMEOUT_MS }))
  }

  /** Whether a client's document would be fetched. */
  allows(clientId: string): boolean {
    if (!URL.canParse(clientId)) return false
    const { protocol, hostname, port } = new URL(clientId)
    return protocol === 'https:' && port === '' && this.#hosts.has(hostname)
  }

  /**
   * The document at an address, as the authorization server fetches it: what counts of a registration counts of it, and no more.
   * @throws Error for anything that is not one
   */
  async fetch(address: string): Promise<Response> {
    if (!this.allows(address) || this.#refused.has(address)) throw new Error('nothing is fetched from there')
    try {
      return await this.#read(address)
    } catch (error) {
      this.#refused.set(address, true)
      throw error
    }
  }

  async #read(address: string): Promise<Response> {
    const { status, text } = await this.#get(new URL(address))
    if (status !== 200) throw new Error(`the answer has status ${status}`)
    const written = JSON.parse(text) as { readonly client_id?: unknown }
    if (written.client_id !== address) throw new Error('the document is about another client')
    const read = readRegistration(written)
    if ('error' in read) throw new Error(read.error_description)
    return new Response(JSON.stringify({ ...read.metadata, client_id: address }))
  }
}
